// The page of a kit: made by the program, a person's once that person changed it, and never lost to a kill.
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { viewKit } from "../../src/content/kit/page.ts";
import { type Message, messageText } from "../../src/core/events.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, IDEAS, kitModel, OUTLINE, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const ITEMS = { kind: "items", workId: "writing-kit-abcdef", key: "k", sources: ["a.md"] } as const;

async function folderOf(world: ContentWorld): Promise<string> {
  return `.looplia/contentItem/${(await sessionsOf(world))[0]}`;
}

const MORE_IDEAS = {
  ...IDEAS,
  hooks: [...IDEAS.hooks, { text: "Who waits for water?", type: "curiosity" }],
  angles: [
    { title: "Idle hands", description: "Why waiting is work as well.", relevanceScore: 0.9 },
    ...IDEAS.angles,
  ],
};
const [FIRST] = OUTLINE;
const CHOSEN = [{ ...FIRST, angle: "Waits as budgets", hook: "Who waits for water?" }];
const NEVER = () => new ScriptedModel([]);

function choosing(outline: unknown): ScriptedModel {
  return new ScriptedModel((request) =>
    writeDue(
      request,
      new Map<string, unknown>([
        ["ideas", MORE_IDEAS],
        ["outline", outline],
      ]),
    ),
  );
}

test("the page has the chosen angle and hook first, the others after the plan, and each quote with its place", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const model = choosing(CHOSEN);
  const { items } = await world.run(ITEMS, model);
  const page = await world.read(`${await folderOf(world)}/writing-kit.md`);
  expect(page).toMatchInlineSnapshot(`
    "# Waits as budgets

    Who waits for water?

    > - **Angle:** Waits as budgets
    > - **What it is about:** What a known wait is good for.
    > - **Hook:** the curiosity above
    > - **Source:** [Kettles and time](https://example.org/kettles) (a.md), 1 min to read

    ## The wait

    > Open with the number.
    >
    > - four minutes

    ---

    ## Other ways in

    - **Idle hands** – Why waiting is work as well.
    - *statistic:* Four minutes, every morning.

    ## Questions to answer

    - What do you do in four minutes?

    ## More quotes

    - “and I count myself among them” (line 7)

    ## About the source

    **Four minutes at the kettle are a budget**

    Waiting for a kettle takes four minutes that one small plan can use.

    - A kettle takes four minutes
    "
  `);
  expect(items[0]).toMatchObject({
    kit: { title: "Waits as budgets", hook: { text: "Who waits for water?" } },
    files: ["writing-kit.md", "summary.json", "ideas.json", "outline.json", "writing-kit.json"],
  });
  // The program puts the kit together: three steps, three requests.
  expect(model.requests).toHaveLength(3);
});

test("an outline that chose what is not among the ideas is refused with those that are", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const wrong = [{ ...FIRST, angle: "Something else" }];
  const { status } = await world.run(ITEMS, choosing(wrong));
  expect(status).toBe("failed");
  const refusals = world.events.flatMap((event) => (event.type === "validation-failed" ? event.errors : []));
  expect(refusals[0]).toContain('[0].angle: expected one of "Idle hands", "Waits as budgets"');
});

test("a page that a person changed stays, the new one is beside it, and a page that is gone is made again", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  await world.run(ITEMS, kitModel());
  const folder = await folderOf(world);
  const made = await world.read(`${folder}/writing-kit.md`);
  await rm(join(world.root, folder, "writing-kit.md"));
  expect(await world.run(ITEMS, NEVER())).toMatchObject({ status: "completed", reasonCode: "done" });
  expect(await world.read(`${folder}/writing-kit.md`)).toBe(made);

  await world.write(`${folder}/writing-kit.md`, "My own text.\n");
  expect(await world.run(ITEMS, NEVER())).toMatchObject({ reasonCode: "up-to-date" });
  const again = await world.run(ITEMS, choosing(CHOSEN), { settings: { force: ["ideas"] } });
  expect(await world.read(`${folder}/writing-kit.md`)).toBe("My own text.\n");
  expect(await world.read(`${folder}/writing-kit.new.md`)).toContain("# Waits as budgets");
  const told = "writing-kit.md was edited by a person and is kept; the new version is writing-kit.new.md";
  expect(again.items[0]?.edits).toEqual([told]);
  expect(world.events).toContainEqual(expect.objectContaining({ type: "notice", message: told }));

  // A person's notes in the new version are kept as well.
  await world.write(`${folder}/writing-kit.new.md`, "Notes.\n");
  await world.run(ITEMS, kitModel(), { settings: { force: ["ideas"] } });
  const kept = (await readdir(join(world.root, folder))).filter((name) => /\.kept-.*\.md$/.test(name));
  expect(await world.read(`${folder}/${kept[0]}`)).toBe("Notes.\n");
});

test("an edited outline has the kit and the page made again without a model", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  await world.run(ITEMS, kitModel());
  const folder = await folderOf(world);
  await world.write(
    `${folder}/outline.json`,
    JSON.stringify([{ heading: "Mine", notes: "Own words.", keyPoints: ["own"] }]),
  );
  expect(await world.run(ITEMS, NEVER())).toMatchObject({ status: "completed" });
  expect(await world.read(`${folder}/writing-kit.md`)).toContain("## Mine");
});

test("a pipeline of one's own has a page from the template beside it", async () => {
  const world = await createContentWorld({
    "a.md": ARTICLE,
    ".looplia/pipelines/notes.yaml":
      "name: notes\noutputs:\n  notes: { artifact: notes.json, agent: noter }\n",
    ".looplia/pipelines/notes.md.mustache":
      "# Notes on {{ item.title }}\n\n{{#notes.points}}\n- {{ . }}\n{{/notes.points}}\n{{ notes.unknown }}\n",
    ".looplia/.claude/agents/noter.md": "---\nname: noter\ndescription: notes\n---\nNote.\n",
  });
  const model = new ScriptedModel((request) =>
    writeDue(request, new Map([["notes", { points: ["one", "two\n# three <b>"] }]])),
  );
  await world.run(ITEMS, model, { settings: { pipeline: "notes" } });
  expect(await world.read(`${await folderOf(world)}/notes.md`)).toBe(
    "# Notes on Kettles and time\n\n- one\n- two # three &lt;b>\n",
  );
});

test("with `choose-angle` a person chooses from a table between ideas and outline, and the choice is recorded", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const host = new ScriptedHost(["later"]);
  const settings = { chooseAngle: true };
  const model = choosing([{ ...FIRST, angle: "Idle hands" }]);
  const asked = await world.run(ITEMS, model, { host, settings });
  expect(asked).toMatchObject({ status: "waiting" });
  expect(model.requests).toHaveLength(2);
  const [request] = asked.items[0]?.interactions ?? [];
  expect(request).toMatchObject({
    kind: "Select",
    authorActorId: "looplia",
    options: [
      { id: "angle-1", label: "Idle hands" },
      { id: "angle-2", label: "Waits as budgets" },
    ],
    display: { contentKind: "Table" },
  });
  const answer = {
    kind: "answer",
    interactionId: request?.interactionId ?? "",
    actorId: "terminal:ada",
  } as const;
  const end = await world.run({ ...answer, answer: { selectedOptionId: "angle-2" } }, model, { settings });
  expect(end.status).toBe("completed");
  expect(model.requests.map(({ messages }) => messageText(messages[0] as Message)).at(-1)).toContain(
    'A person chose this angle (its title, as data): "Waits as budgets"',
  );
  expect(end.items[0]?.artifacts.get("outline")).toMatchObject([{ angle: "Waits as budgets" }]);
  expect((await world.run(ITEMS, NEVER(), { settings })).reasonCode).toBe("up-to-date");
});

const SPANISH = `El puerto viejo despierta antes que la ciudad. Los pescadores vuelven con las redes vacías y nadie pregunta por qué. ${"La marea sube despacio y las casas del barrio esperan el invierno con las ventanas cerradas. ".repeat(4)}`;

test.each([
  ["de-artikel-nachtzug.md", ["**Blickwinkel:**", "## Offene Fragen", "## Über die Quelle", "(Zeile "]],
  ["fr-article-phare.md", ["**Accroche:**", "## Questions à traiter", "min de lecture", "(ligne "]],
  [undefined, ["**Gancho:**", "## Preguntas por responder", "## Sobre la fuente", "(línea "]],
])("the fixed words of a page are in the item's language: %s", async (file, words) => {
  const text = file ? await readFile(join(import.meta.dirname, "../../eval/items", file), "utf8") : SPANISH;
  const [quote = ""] = text.replace(/^---\n[\s\S]*?\n---\n/, "").match(/^\p{L}.{40,}?\.(?=\s)/mu) ?? [];
  const world = await createContentWorld({
    "a.md": text,
    ".looplia/user-profile.json": JSON.stringify({
      userId: "u",
      topics: [],
      style: { tone: "expert", targetWordCount: 800, voice: "first-person" },
      language: "en",
    }),
  });
  const summary = { ...SUMMARY, importantQuotes: [{ text: quote }] };
  const model = new ScriptedModel((request) => writeDue(request, new Map([["summary", summary]])));
  const result = await world.run(ITEMS, model);
  expect(result.status, result.items[0]?.message).toBe("completed");
  const page = await world.read(`${await folderOf(world)}/writing-kit.md`);
  for (const word of words) expect(page).toContain(word);
  expect(page).not.toMatch(/Questions to answer|About the source|What it is about|min to read/);
});

test("a quote stands in the section that has the heading above it in the item", async () => {
  const body = [
    "# Kettles",
    "## The pot",
    "“The lid knows more than the clock,” she says of the clock and the cup.",
    "## The clock and the cup",
    "Nothing.",
  ].join("\n");
  const sections = ["The clock and the cup", "The pot"].map((heading) => ({
    ...FIRST,
    heading,
    notes: "A note.",
  }));
  const quote = { text: "The lid knows more than the clock,", line: 3 };
  const world = await createContentWorld({ "a.md": ARTICLE });
  await world.run(ITEMS, kitModel());
  const made = async (name: string) => JSON.parse(await world.read(`${await folderOf(world)}/${name}`));
  const artifacts = new Map<string, unknown>([
    ["summary.json", { ...(await made("summary.json")), importantQuotes: [quote] }],
    ["ideas.json", await made("ideas.json")],
    ["outline.json", sections],
  ]);
  const kit = viewKit({ title: "Kettles", body }, artifacts);
  expect(kit?.sections.map(({ quotes }) => quotes.map(({ text }) => text))).toEqual([[], [quote.text]]);
});
