// A kit in the text of a pull request: folded, with links to its files, and nothing that a model wrote means anything.
import { expect, test } from "vitest";
import { writePullRequest } from "../../src/publish/pull-request.ts";
import { item, waitingWork } from "./works.ts";

test("the kit is folded, its files are linked, and mentions and HTML of its texts are plain words", () => {
  const kit = {
    title: "Tides </details> @octocat",
    angle: { title: "The moon pulls twice", description: "Why there are two high waters a day." },
    hook: { text: "Twice a day the sea comes back.", type: "curiosity" },
    otherAngles: [{ title: "Tide tables", description: "How they are made." }],
    otherHooks: [],
    sections: [
      {
        heading: "Two bulges",
        notes: "Explain both.",
        keyPoints: ["the far side"],
        words: 200,
        quotes: [{ text: "The sea stands still", place: "line 4" }],
      },
    ],
    quotes: [],
    questions: [{ question: "What about lakes?" }],
    minutes: 3,
  };
  const filesUrl = "https://github.com/o/r/blob/looplia/writing-kit-abc123";
  const files = ["writing-kit.md", "summary.json"];
  const { body } = writePullRequest("writing-kit-abc123", {
    ...waitingWork.report,
    filesUrl,
    questions: [],
    items: [{ ...item, kit, files }],
  });
  expect(body.slice(body.indexOf("Folder:"))).toMatchInlineSnapshot(`
    "Folder: .looplia/contentItem/how-tides-work-2026-12-01-0a1b2c

    [writing-kit.md](<https://github.com/o/r/blob/looplia/writing-kit-abc123/.looplia/contentItem/how-tides-work-2026-12-01-0a1b2c/writing-kit.md>) · [summary.json](<https://github.com/o/r/blob/looplia/writing-kit-abc123/.looplia/contentItem/how-tides-work-2026-12-01-0a1b2c/summary.json>)

    <details><summary>The kit: 1 section, about 200 words</summary>

    **Angle: The moon pulls twice** – Why there are two high waters a day.

    **Hook (curiosity):** Twice a day the sea comes back.

    **1. Two bulges** (about 200 words)

    Explain both.

    - the far side
    - “The sea stands still” (line 4)

    *Other angles*

    - Tide tables

    *Questions*

    - What about lakes?

    </details>

    <!-- looplia:end -->"
  `);
});
