// Articles made from a seed: Markdown on one side, on the other the text that a reader sees of it.
import fc from "../fakes/properties.ts";

/** `body`: what stands below the front matter, without markup. `headed`: headings that have text below them. */
export type MadeArticle = { markdown: string; body: string; headings: string[] };

type Part = { markdown: string; text: string; heading?: string };

const NOUNS = "harbour oyster council winter library bridge engine garden city river market teacher".split(
  " ",
);
const PLURALS = "boats letters workers machines houses lanterns".split(" ");
const NAMES = ["Maria Lopez", "Tom Becker", "Aoife Ní Bhriain", "Zoë Müller", "Harrow Street"];
const ADJECTIVES = "quiet rusty northern careful expensive old".split(" ");
const VERBS = "repaired counted painted measured carried visited".split(" ");
const ODD = ["naïve", "façade", "🙂", "München", "x²", "—", "ﬁne", "e\u0301te\u0301", "R&D", "3.5", "U.S."];

const word = (...lists: string[][]) => fc.constantFrom(...lists.flat());
const thing = fc
  .tuple(word(ADJECTIVES), word(NOUNS, PLURALS), fc.boolean())
  .map(([adjective, noun, isPlain]) => (isPlain ? `the ${noun}` : `the ${adjective} ${noun}`));

const clause = fc
  .tuple(fc.oneof(thing, word(NAMES)), word(VERBS), thing, fc.option(word(ODD), { freq: 4 }))
  .map(([who, did, what, odd]) => `${who} ${did} ${what}${odd === null ? "" : ` near ${odd}`}`);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const sentence = fc.oneof(
  clause.map((text) => `${capital(text)}.`),
  fc.tuple(clause, fc.integer({ min: 2, max: 9999 })).map(([text, n]) => `In ${n} days ${text}.`),
  fc.tuple(clause, clause).map(([one, two]) => `However, ${one}, and ${two}!`),
  clause.map((text) => `Why is it that ${text}?`),
  fc.tuple(clause, word(NAMES)).map(([text, name]) => `"We saw that ${text}," said ${name}.`),
  fc.tuple(clause, word(NAMES)).map(([text, name]) => `${name} recalls: “${capital(text)}.”`),
  clause.map((text) => `Nobody hoped that ${text}…`),
);

/** A sentence with markup inside, and what is seen of it. */
const marked = fc
  .tuple(thing, fc.constantFrom("**", "*", "`", "["), word(VERBS), thing)
  .map(([who, mark, did, what]): Part => {
    const shown = mark === "[" ? `[${what}](https://example.org/a?b=c)` : `${mark}${what}${mark}`;
    return {
      markdown: `${capital(who)} ${did} ${shown} again.`,
      text: `${capital(who)} ${did} ${what} again.`,
    };
  });

const plainPart = sentence.map((text): Part => ({ markdown: text, text }));
const joined = (parts: Part[], glue: string): Part => ({
  markdown: parts.map((part) => part.markdown).join(glue),
  text: parts.map((part) => part.text).join(" "),
});

const paragraph = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: plainPart }, { weight: 1, arbitrary: marked }), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.constantFrom(" ", "\n", "  "),
  )
  .map(([parts, glue]) => joined(parts, glue));

const heading = fc.tuple(fc.constantFrom("#", "##", "###"), thing).map(([marks, text]): Part => {
  const shown = capital(text);
  return { markdown: `${marks} ${shown}`, text: shown, heading: shown };
});

const list = fc
  .tuple(fc.array(fc.oneof(thing, sentence), { minLength: 1, maxLength: 5 }), fc.constantFrom("-", "*", "1."))
  .map(
    ([items, mark]): Part =>
      joined(
        items.map((text) => ({ markdown: `${mark} ${text}`, text })),
        "\n",
      ),
  );

const quoted = paragraph.map(
  ({ markdown, text }): Part => ({ markdown: markdown.replace(/^/gm, "> "), text }),
);

const unseen = fc.constantFrom(
  '```js\nconst secret = "never quoted, it is code";\n```',
  "<!-- never quoted, it is a comment -->",
  "| never | quoted |\n|---|---|\n| a | table |",
  "---",
);

const part = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 3, arbitrary: heading },
  { weight: 1, arbitrary: list },
  { weight: 1, arbitrary: quoted },
  { weight: 1, arbitrary: unseen.map((markdown): Part => ({ markdown, text: "" })) },
);

const frontMatter = fc.constantFrom(
  "",
  "---\ntitle: The year of the harbour\ncategory: local news\n---\n",
  '---\nid: ../../etc\ntitle: "What: a \\"bridge\\""\nurl: https://example.org\ntags: [a, b]\n---\n',
  "---\ntitle: >\n  Folded text\n  of a title\n---\n",
  "---\ntitle: 42\n---\n",
  "---\n---\n",
);

/** `maxLength` bounds the blocks of the article. */
export function articles(minLength: number, maxLength: number): fc.Arbitrary<MadeArticle> {
  return fc
    .tuple(fc.array(part, { minLength, maxLength }), frontMatter, fc.boolean(), fc.boolean())
    .filter(([parts, front]) => front !== "" || parts[0]?.markdown !== "---") // It would open front matter.
    .map(([parts, front, isWindows, hasMark]) => {
      const whole = `${front}${parts.map((each) => each.markdown).join("\n\n")}\n`;
      const markdown = (hasMark ? "\uFEFF" : "") + (isWindows ? whole.replaceAll("\n", "\r\n") : whole);
      const body = parts.map((each) => each.text).filter((text) => text !== "");
      return { markdown, body: body.join(" "), headings: parts.flatMap((each) => each.heading ?? []) };
    });
}
