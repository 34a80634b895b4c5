// The project's own reader of command lines against another one, `unbash`: what ours reads, it reads alike. The program
// itself uses ours alone, because ours refuses whatever could mean something else, which no parser of all of bash does.
import { parse, type SyntaxNode } from "unbash";
import { expect, it } from "vitest";
import { parseCommand } from "../../src/approval/parse-command.ts";
import fc from "../fakes/properties.ts";

/** Words of each simple command; undefined where there is anything else. */
function readByOther(line: string): string[][] | undefined {
  const script = parse(line);
  const found: string[][] = [];
  const visit = (node: SyntaxNode): boolean => {
    if (node.type === "Statement") return visit(node.command);
    if (node.type === "AndOr") return node.commands.every(visit);
    if (node.type === "Pipeline") return node.commands.every(visit);
    if (node.type !== "Command" || !node.name) return false;
    const args = node.args.flatMap((arg) => (arg.type === "Word" ? [arg.value] : []));
    found.push([node.name.value, ...args]);
    return args.length === node.args.length && node.prefix.every(({ type }) => type === "Redirect");
  };
  const isSimple = script.commands.every((statement) => visit(statement));
  return isSimple && (script.errors ?? []).length === 0 ? found : undefined;
}

const piece = fc.constantFrom(
  ...[
    "a",
    "rm",
    "x.ts",
    "-n",
    "--op=",
    "1",
    "/bin/ls",
    "a=b",
    "@",
    "~",
    "*",
    "$X",
    "$(a)",
    "`a`",
    "!",
    "#",
    "{",
    "}",
  ],
  ...[
    "'a b'",
    '"a b"',
    "'a\"b'",
    '"a\\"b"',
    '"a\\nb"',
    "\\ ",
    "\\a",
    "\\\n",
    "''",
    '""',
    "'$X'",
    '"$X"',
    "'",
  ],
  ...[
    " ",
    " ",
    " ",
    "\t",
    "\n",
    ";",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "(",
    ")",
    "<",
    ">",
    ">>",
    "2>&1",
    ">&2",
    "&>f",
    "<<<",
  ],
);

it("whatever ours reads, the other reads with the same words", () => {
  let read = 0;
  const lines = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(lines, (line) => {
      const ours = parseCommand(line);
      if (!ours) return;
      read += 1;
      // `time` is a word for ours, looked through later.
      if (ours.some(({ words }) => words[0] === "time")) return;
      expect(readByOther(line), line).toEqual(ours.map(({ words }) => words));
    }),
    { numRuns: 20_000 },
  );
  expect(read).toBeGreaterThan(1_000);
});
