// Asks one question in the terminal it runs in, and prints what came of it: `node terminal-program.ts <kind> [signal]`.
import { getEventListeners } from "node:events";
import picocolors from "picocolors";
import { checkAnswer } from "../../src/approval/questions.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { createTerminalHost } from "../../src/terminal/host.ts";
import { confirm, input, question } from "../cli/made-up.ts";

const requests = new Map([
  ["select", question],
  ["confirm", confirm],
  ["standing", { ...confirm, standing: { folder: ".", commands: ["npm test"] } }],
  ["input", input],
  ["optional", { ...input, validation: {} }],
  [
    "composite",
    {
      ...input,
      kind: "Composite" as const,
      fields: [
        {
          id: "tone",
          label: "Which tone?",
          kind: "Select" as const,
          options: [
            { id: "calm", label: "Calm" },
            { id: "loud", label: "Loud" },
          ],
        },
        {
          id: "year",
          label: "Which of the years?",
          kind: "Input" as const,
          validation: { regex: "^\\d{4}$" },
        },
        { id: "note", label: "A note?", kind: "Input" as const },
      ],
    },
  ],
]);
const request = requests.get(process.argv[2] ?? "");
if (!request) throw new Error("name a kind of question");

const controller = new AbortController();
process.on("SIGTERM", () => controller.abort("interrupted"));
const paused: string[] = [];
const host = createTerminalHost({
  input: process.stdin,
  output: process.stderr,
  isInteractive: true,
  screen: { pause: () => void paused.push("pause"), resume: () => void paused.push("resume") },
  colors: picocolors.createColors(true),
  actorId: "terminal:ada",
  check: checkAnswer,
  interrupt: () => controller.abort("interrupted"),
});
const asked = process.argv[3] === "twice" ? [request, { ...request, shortId: "q2-def456" }] : [request];
try {
  const results = await Promise.all(asked.map((one) => host.ask(one, controller.signal)));
  const listening = getEventListeners(controller.signal, "abort").length;
  process.stdout.write(`RESULT ${JSON.stringify(results)} ${paused.join(",")} listening: ${listening}\n`);
} catch (thrown) {
  if (!(thrown instanceof LoopliaError)) throw thrown;
  process.stdout.write(`THROWN ${thrown.code} aborted=${controller.signal.aborted} ${paused.join(",")}\n`);
  process.exitCode = 4;
}
