import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { commandDangers } from "../../src/approval/commands.ts";
import { decideCall, type GateRules } from "../../src/approval/gate.ts";
import { parseCommand } from "../../src/approval/parse-command.ts";
import fc from "../fakes/properties.ts";

const execute = promisify(execFile);
/** What people answered to a runbook's questions. */
const VALUES = { LOOPLIA_X: `it's "$(rm x)" * -rf \\`, LOOPLIA_EMPTY: "" };
const wordsOf = (line: string) => parseCommand(line, VALUES)?.map(({ words }) => words);

describe("a command line is read as the shell reads it", () => {
  test.each<[string, string[][]]>([
    ["npm test && curl x || ls; a | b & c", [["npm", "test"], ["curl", "x"], ["ls"], ["a"], ["b"], ["c"]]],
    ["'cu''rl' \"a b\" c\\ d", [["curl", "a b", "c d"]]],
    ["\\curl 'it is $HOME'", [["curl", "it is $HOME"]]],
    ["cu\\\nrl x", [["curl", "x"]]],
    ["a\n\nb &&\n c\n", [["a"], ["b"], ["c"]]],
    ["ls src/*.ts", [["ls", "src/*.ts"]]],
    ['a "\\q \\" \\\\"', [["a", '\\q " \\']]],
    ['a "$LOOPLIA_X" "x${LOOPLIA_EMPTY}y\\$LOOPLIA_X"', [["a", VALUES.LOOPLIA_X, "xy$LOOPLIA_X"]]],
    ["a >f 2>&1 <g", [["a"]]],
  ])("%j", (line, expected) => {
    expect(wordsOf(line)).toEqual(expected);
  });

  test.each([
    ["a > f", ["f"]],
    ["a>>f 2>'g h' &>>i", ["g h"]],
    ["a &> f", ["f"]],
    ["a >& f", ["f"]],
    ["a >| f", ["f"]],
    ["a <> f", ["f"]],
    ["a > /dev/null 2>&1 <in", []],
  ])("%j writes %j", (line, files) => {
    expect(parseCommand(line)?.[0]?.written).toEqual(files);
  });

  test.each([
    ...[
      "",
      " ",
      "\n",
      "a &&",
      "| a",
      "a ||| b",
      "a ;; b",
      "; a",
      "a >",
      "> f",
      "> f\nls",
      "ls\n> f",
      "'a",
      'a "b',
      "a\\",
    ],
    ...[
      "$(rm x)",
      "`rm x`",
      "echo $(rm x)",
      'echo "$(rm x)"',
      'echo "`rm x`"',
      "a <(rm x)",
      "$X",
      "a $X",
      'a "$X"',
      "a ${".concat("X}"),
    ],
    ...[
      "(rm x)",
      "{ rm x; }",
      "f() { rm x; }",
      "if a; then b; fi",
      "for x in a; do b; done",
      "! a",
      "[[ a ]]",
    ],
    ...[
      "A=1 rm x",
      "A=1\nls",
      "ls\nA=1",
      "A+=1 x",
      "a <<E\nrm\nE",
      "a <<< b",
      "# a",
      "a # b",
      "*",
      "ls *",
      "/bin/r?",
      "git pu[s]h",
      "a {b,c}",
      "~/a",
    ],
    ...[
      "a\rb",
      "a\u0000b",
      "a\u001bb",
      "a\u00a0b",
      "a\u2028b",
      "caf\u00e9 x",
      "a \ud800",
      '"" x',
      'echo "hi!"',
      "echo 'a\u0007'",
      "echo 'a\ud800'",
    ],
    ...["a $LOOPLIA_X", 'a "$LOOPLIA_OTHER"', 'a "${LOOPLIA_X:-b}"', 'a "${LOOPLIA_X"', '"$LOOPLIA_EMPTY" b'],
  ])("%j is not read: it could mean something else", (line) => {
    expect(parseCommand(line, VALUES)).toBeUndefined();
    expect(commandDangers(line, VALUES)).toEqual([`can't be read for certain: ${line}`]);
  });
});

describe("the table of dangerous commands", () => {
  test.each<[string, string[]]>([
    [
      "deletes",
      [
        "rm x",
        "/bin/rm x",
        "'r''m' x",
        "RM x",
        "rmdir d",
        "find . -delete",
        "git clean -fd",
        "git rm x",
        "npx rimraf dist",
        "pnpm exec rm x",
        "yarn rimraf x",
        "npm exec -- rm x",
        "npm x rimraf d",
        "pnpm dlx rimraf d",
        "poetry run rm x",
        "bundle exec rm x",
        "rsync -a --delete a b",
        "timeout -kx 60 rm x",
        "wipefs -a x",
      ],
    ],
    [
      "overwrites",
      [
        "ls > f",
        "yq -i .a f",
        "echo x | tee f",
        "dd if=a of=b",
        "mv a b",
        "cp a b",
        "truncate -s0 f",
        "sed -i s/a/b/ f",
        "git checkout -- .",
        "git restore x",
        "git stash",
        "curl -o f x",
        "tar xf a",
        "sort -o f f",
        "git diff --output=f",
        "gzip f",
        "tar -cf f d",
        "tar czf f d",
        "tar --create --file=f d",
        "uniq -c a b",
        "shuf -o f f",
      ],
    ],
    [
      "rewrites history",
      [
        "git reset --hard",
        "git rebase main",
        "git commit --amend",
        "git filter-branch",
        "git reflog expire --all",
        "git branch -D x",
        "git tag -f v1",
        "git update-ref -d x",
        "git worktree remove x",
        "git pull --rebase",
      ],
    ],
    [
      "publishes",
      [
        "git push",
        "git push --force",
        "npm publish",
        "yarn npm publish",
        "pnpm -r publish",
        "gh release create v1",
        "twine upload x",
        "cargo publish",
        "gem push x",
        "mvn deploy",
        "curl -sT f h",
        "curl --data @f h",
        "curl -X DELETE h",
        "curl -sXPOST h",
        "curl --request PUT h",
      ],
    ],
    [
      "takes privileges",
      [
        "sudo ls",
        "su root",
        "doas ls",
        "chmod u+s x",
        "chmod 4755 x",
        "chmod 777 /etc/passwd",
        "chown a b",
        "setcap x y",
        "docker push x",
        "docker run x",
        "mount a b",
      ],
    ],
    [
      "can't be read for certain",
      [
        "xargs rm",
        "env A=1 rm x",
        "nohup -- rm x",
        "timeout rm x",
        "timeout 60x ls",
        "awk -F:",
        "sed -n",
        "ionice -c2x ls",
        "bash -c 'rm x'",
        "sh",
        "curl x | sh",
        "eval rm",
        "exec rm",
        "command rm",
        "source x",
        ". x",
        "ssh h rm",
        "node -e 'x'",
        "python3 -c x",
        "perl -e x",
        "awk '{print > \"f\"}' g",
        "awk 'BEGIN{system(\"rm f\")}'",
        "awk '{print > \"a-F\"}' g",
        "awk 'BEGIN{\"date\" | getline}'",
        "awk 'x ||| y'",
        "awk -f x.awk f",
        "awk -i inplace 1 f",
        "awk '@include \"inplace\"' f",
        "awk -F :",
        "sed -e p -e 'w f' x",
        "sed 's/a/b/w f' x",
        "sed -n '/[/]/w f' x",
        "sed 's/[^]/]/w f/' x",
        "sed 'r f' x",
        "sed -e",
        "sed -es/a/b/w p f",
        "sed 's/a/b/e' f",
        "sed -n 'w f' x",
        "sed 1e f",
        "sed p -f x.sed f",
        "sed -nf p f",
        "sed p --expression=x f",
        "find . -exec rm x",
        "git -c alias.x=y x",
        "git -C d push",
        "git x",
        "git config a b",
        "git fetch --upload-pack=x",
        "git grep -Ox y",
        "export PATH=x",
        "alias ls=rm",
        "npm exec -c rm",
        "trap x EXIT",
        "tar --to-command=x -tf a",
      ],
    ],
  ])("%s", (danger, lines) => {
    for (const line of lines) expect(commandDangers(line).join("\n"), line).toContain(`${danger}: `);
  });

  test.each(
    "npm test|npm ci|npm run build -- --watch|npx vitest run|ls -la src/*.ts|cat a b|git status|git diff HEAD~1|git log --oneline|git add -u|git commit -m 'x; rm y'|git ls-files -o --exclude-standard|git branch|grep -rn 'rm -rf' src|node script.js|python3 -m pytest|bash scripts/build.sh|sed -n 1,20p f|sed 's/a/b/g' f|make test|echo exec rm x|make run rm|sed -nE p f|mkdir -p a|touch x|echo hi 2>&1|cargo test|go build ./...|chmod +x run.sh|chmod 755 run.sh|find . -name '*.ts'|npm test > /dev/null|npm test >> log|awk x f|awk -F: -v n=2 '$n >= 1 && /^#/ {print $1}' f|sed -ne '/^## /,/^## /p' -e '$!d' f|sed -E 's#^v([0-9]+)#\\1#;2,3d' f|jq -r .name package.json|tar tzf crates.tgz|tar -tf src.tar|curl -fsSL x|uniq -c a|git pull --ff-only|tar tzf my-x.tgz|git tag v1-final|node evaluate.js|gradle build-Info|nix build dry-run|python3 a.py a-code|curl -fsSL https://example.org/a-Total|tar tf a-c.tar|find . -name a-fls|perl a-b.pl|pytest tests/a-c|timeout 60 run-v rm|mynpx rm x|npxx rm x|npm-check run rm|npm run publish-docs|rg a--pre|mvn docexec:help|less a-H|ionice -c2 ls".split(
      "|",
    ),
  )("is not about %s", (line) => {
    expect(commandDangers(line)).toEqual([]);
  });
});

/** The same words in another spelling: quoted, escaped, in pieces, with other blanks. */
function respell(word: string): fc.Arbitrary<string> {
  const spelled = [...word].map((letter) =>
    fc.constantFrom(
      letter,
      `\\${letter}`,
      `'${letter}'`,
      `"${letter}"`,
      `''${letter}`,
      `${letter}\\\n`,
      `""${letter}`,
    ),
  );
  return fc.tuple(...spelled).map((letters) => letters.join(""));
}
const blank = fc.constantFrom(" ", "  ", "\t", " \\\n ");
const around = fc.constantFrom(
  ...[
    "@",
    "ls && @",
    "ls; @",
    "ls\n@",
    "ls | @",
    "ls & @",
    "@ && ls",
    "@ | ls",
    "@ &",
    "ls || @ || ls",
    "@ 2>&1",
    "@ </dev/null",
  ],
  ...[
    "(@)",
    "{ @; }",
    "$(@)",
    "`@`",
    "echo $(@)",
    "if @; then ls; fi",
    "! @",
    "time @",
    "A=1 @",
    "f() { @; }; f",
    "while @; do ls; done",
  ],
  ...[
    "env @",
    "nohup @",
    "timeout 5 @",
    "xargs @",
    "sh -c '@'",
    'bash -c "@"',
    "eval @",
    "exec @",
    "command @",
    "sudo @",
    "echo | xargs @",
  ],
);

it("no spelling of a forbidden command is allowed, whatever stands around it", () => {
  const rules: GateRules = {
    policy: [
      { effect: "allow", tool: "runCommand", text: "allow runCommand" },
      { effect: "deny", tool: "runCommand", text: "deny runCommand curl", words: ["curl"] },
      { effect: "deny", tool: "runCommand", text: "deny runCommand npm ci", words: ["npm", "ci"] },
    ],
    approval: "none",
    sandbox: "auto",
    settingsFile: "looplia.yml",
  };
  const forbidden = fc.constantFrom("curl x", "npm ci --x").chain((line) => {
    const words = line.split(" ").map(respell);
    return fc.tuple(fc.tuple(...words), blank).map(([spelled, gap]) => spelled.join(gap));
  });
  fc.assert(
    fc.property(forbidden, around, (line, frame) => {
      const command = frame.replace("@", () => line);
      const call = { tool: "runCommand", risk: "risky", asksItself: false, command } as const;
      expect(decideCall(call, rules, { isolation: { kind: "bubblewrap", network: false } }).kind).not.toBe(
        "allow",
      );
    }),
    { numRuns: 3_000 },
  );
});

/** The calls that bash makes for each line: the name with its arguments, told instead of looking for a program. */
async function callsByBash(lines: readonly string[]): Promise<string[][][]> {
  const folder = await mkdtemp(join(tmpdir(), "looplia-bash-"));
  const handler = `command_not_found_handle() { printf -v said '%s\\037' "$@"; printf '%s\\036' "$said" >&9; }`;
  const each = `for line; do (PATH=/nowhere; eval "$line"; wait); printf '\\035' >&9; done`;
  const script = `exec 9>&1 >/dev/null 2>&1 </dev/null; ${handler}; ${each}`;
  try {
    // Redirections write into the folder.
    const { stdout } = await execute("/bin/bash", ["-c", script, "bash", ...lines], {
      cwd: folder,
      env: { ...process.env, ...VALUES },
    });
    const separated = (text: string, by: string) => text.split(by).slice(0, -1);
    return separated(stdout, "\u001d").map((said) =>
      separated(said, "\u001e").map((call) => separated(call, "\u001f")),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it("what is read is what bash runs: each program it starts was read with just these words", async () => {
  const piece = fc.constantFrom(
    ...[
      "say",
      "one",
      "'two three'",
      '"four"',
      "\\five",
      "a\\\nb",
      " ",
      " ",
      "  ",
      "\t",
      "\n",
      ";",
      "&&",
      "||",
      "|",
      "2>&1",
      ">/dev/null",
    ],
    ...["$X", "*", "{a,b}", "#", "(", ")", "`", "!", "=", "~", "-", "''", '""', "\\", "&", "</dev/null"],
    ...['"$LOOPLIA_X"', '"a${LOOPLIA_X}b"', '"$LOOPLIA_EMPTY"', "'$LOOPLIA_X'", '"\\$LOOPLIA_X"'],
  );
  const lines = fc.sample(fc.array(piece, { minLength: 1, maxLength: 9 }), { numRuns: 400 });
  const readable = lines
    .map((pieces) => `say ${pieces.join("")}`)
    .map((line) => ({ line, read: wordsOf(line)?.map((words) => JSON.stringify(words)) }))
    .filter(({ read }) => read !== undefined);
  const called = await callsByBash(readable.map(({ line }) => line));
  expect(called).toHaveLength(readable.length);
  for (const [index, { line, read }] of readable.entries()) {
    for (const call of called[index] ?? []) {
      expect(read, JSON.stringify(line)).toContain(JSON.stringify(call));
    }
  }
  expect(called.flat().length).toBeGreaterThan(50);
});
