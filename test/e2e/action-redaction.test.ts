// The keys of a run stand in what it reads; they must be in nothing that leaves the runner.
import { expect, onTestFinished, test } from "vitest";
import { createActionWorld, KEY, TOKEN } from "../fakes/action-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const FORMS = [KEY, TOKEN, ...[KEY, TOKEN].map((key) => Buffer.from(key).toString("base64").slice(0, -4))];

test("keys in an item, its title and its address are in no request, log, commit, comment, summary or output", async () => {
  const item = ARTICLE.replace("Kettles and time", `Kettles ${KEY}`)
    .replace("example.org/kettles", `example.org/${TOKEN}`)
    .replace("A kettle takes", `${KEY} ${Buffer.from(TOKEN).toString("base64")} takes`);
  const broken = `---\ntitle: [${KEY}\n---\ntext\n`;
  const world = await createActionWorld({ "content/kettles.md": item, "content/broken.md": broken });
  onTestFinished(() => world.close());
  const folder = /`(\.looplia\/contentItem\/[^`]+\/content\.md)`/;
  world.modelTurn = (body) => {
    const content = folder.exec(JSON.stringify(body.messages[0]))?.[1];
    if (body.messages.length > 1 || content === undefined) return writeDue(body);
    return { content: [{ type: "tool_use", id: "read", name: "readFile", input: { path: content } }] };
  };
  const ran = await world.run();
  expect(ran.outputs.get("branch"), ran.stdout + ran.stderr).toBeTruthy();
  // The state ref has the same short name.
  const branch = `refs/heads/${ran.outputs.get("branch")}`;
  const paths = (await world.repository.git("ls-tree", "-r", "--name-only", branch)).split("\n");
  const written = paths.filter((path) => path.startsWith(".looplia/") && !path.endsWith("/content.md"));
  expect(written.length).toBeGreaterThan(3);
  const said = new Map<string, string>([
    ["log", ran.stdout + ran.stderr],
    ["summary", ran.summary],
    ["outputs", JSON.stringify([...ran.outputs])],
    ["requests", JSON.stringify(world.model.requests.map((request) => request.body))],
    ["pull requests", JSON.stringify(await world.github.pullRequests())],
    ["commits", await world.repository.git("log", "--format=%B", `main..${branch}`)],
    ["paths", paths.join("\n")],
  ]);
  for (const path of written) said.set(path, await world.repository.git("show", `${branch}:${path}`));
  for (const [place, text] of said)
    for (const form of FORMS) expect(text.includes(form), `${form} in ${place}`).toBe(false);
  expect(said.get("requests")).toContain("[redacted]");
  expect(said.get("pull requests")).toContain("Kettles [redacted]".replace(/[[\]]/g, "\\\\$&"));
});
