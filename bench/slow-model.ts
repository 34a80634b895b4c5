// A model in a process of its own that takes its time: `node slow-model.ts <milliseconds>` prints its address and, when
// standard input ends, how many requests it had.
import { setTimeout } from "node:timers/promises";
import { writeDue } from "../test/fakes/kit-api.ts";
import { startMessagesApi } from "../test/fakes/messages-api.ts";

let requests = 0;
const delay = Number(process.argv[2]);
const api = await startMessagesApi(
  async (body) => {
    requests += 1;
    await setTimeout(delay);
    return writeDue(body);
  },
  { keep: 0 },
);
console.log(api.url);
process.stdin.resume().once("end", async () => {
  console.log(requests);
  await api.close();
});
