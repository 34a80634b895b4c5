// What was approved and what runs: files swapped after the question, session folders, the network, no isolation, limits.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startMessagesApi } from "../fakes/messages-api.ts";
import {
  type Attack,
  hostileFolder,
  hostileRun,
  putFiles,
  run,
  runCli,
  runScript,
  type Scene,
} from "./hostile-run.ts";

const SCRIPT = "printf ran >>ran.txt\n";
const FILES = {
  "go.sh": SCRIPT,
  "lib/part.sh": "true\n",
  "other.sh": "printf other >>ran.txt\n",
  ".gitignore": "ran.txt\n",
};

/** What changes between the question and the answer; each may make the approved command do something else. */
const SWAPS: Record<string, (folder: string) => void> = {
  "the script itself": (folder) => putFiles(folder, { "go.sh": "printf evil >>ran.txt\n" }),
  "as many other bytes": (folder) => putFiles(folder, { "go.sh": SCRIPT.replace("ran ", "bad ") }),
  "a file that it may read": (folder) => putFiles(folder, { "lib/part.sh": "false\n" }),
  "a new file": (folder) => putFiles(folder, { "lib/new.sh": "evil\n" }),
  "a file less": (folder) => rmSync(join(folder, "lib/part.sh")),
  "its right to run": (folder) => chmodSync(join(folder, "other.sh"), 0o755),
  "a link in its place": (folder) => {
    rmSync(join(folder, "go.sh"));
    symlinkSync("other.sh", join(folder, "go.sh"));
  },
  "the target of a link": (folder) => {
    rmSync(join(folder, "link"));
    symlinkSync("other.sh", join(folder, "link"));
  },
  "a link in the place of a folder": (folder) => {
    rmSync(join(folder, "lib"), { recursive: true });
    symlinkSync("/tmp", join(folder, "lib"));
  },
  "a repository inside": (folder) => {
    execFileSync("git", ["init", "-q", join(folder, "nested")]);
    putFiles(folder, { "nested/evil.sh": "evil\n" });
  },
  "a file of a repository inside": (folder) =>
    putFiles(folder, { "inner/tool.sh": "printf evil >>ran.txt\n" }),
  "packages of a repository inside": (folder) =>
    putFiles(folder, { "inner/node_modules/p/index.js": "evil()\n" }),
  "what a rule says by now": (folder) => putFiles(folder, { "looplia.yml": "policy: deny runCommand\n" }),
  "the isolation by now": (folder) => putFiles(folder, { "looplia.yml": "sandbox: off\n" }),
};

const swaps: Scene = {
  name: "approve A, run B",
  async attack() {
    const attacks: Attack[] = [];
    for (const [name, swap] of [["nothing", () => undefined] as const, ...Object.entries(SWAPS)]) {
      const folder = hostileFolder(FILES);
      execFileSync("git", ["init", "-q"], { cwd: folder });
      execFileSync("git", ["init", "-q", join(folder, "inner")]);
      putFiles(folder, { "inner/tool.sh": "true\n", "inner/node_modules/p/index.js": "1\n" });
      symlinkSync("go.sh", join(folder, "link"));
      const { code, output, ran } = await approveAfter(folder, () => swap(folder));
      if (name === "nothing") {
        attacks.push({
          row: "control",
          name: "what did not change runs",
          held: ran === "ran",
          detail: output,
        });
      } else {
        const held = ran === "" && code !== null;
        attacks.push({
          row: "approve A, run B",
          name: `${name} changes after the question`,
          held,
          detail: output,
        });
      }
    }
    return attacks;
  },
};

/** Asks about `sh go.sh`, changes something, approves in another process; what the script left. */
async function approveAfter(folder: string, change: () => void) {
  const api = await startMessagesApi((body) =>
    body.messages.some(({ role }) => role === "assistant")
      ? "Done."
      : { content: [{ type: "tool_use" as const, id: "call_0", ...run("sh go.sh") }] },
  );
  try {
    const variables = { ANTHROPIC_API_KEY: "sk-ant-attack", ANTHROPIC_BASE_URL: api.url };
    const asked = await runCli(["run"], folder, variables);
    const [, id = ""] = /looplia answer (\S+)/.exec(asked.stdout + asked.stderr) ?? [];
    change();
    const { code, stdout, stderr } = await runCli(["answer", id, "approve"], folder, variables);
    const file = join(folder, "ran.txt");
    const ran = existsSync(file) ? execFileSync("cat", [file]).toString() : "";
    return { code, output: `${id} ${stdout}${stderr}`, ran };
  } finally {
    await api.close();
  }
}

const OPEN = "127.0.0.1";
/** `{p}`: the port of a server on this machine that is not listed. */
const PLACES = [
  "http://127.0.0.1:{p}/",
  "http://localhost:{p}/",
  "http://localhost.:{p}/",
  "http://LOCALHOST:{p}/",
  "http://2130706433:{p}/",
  "http://0x7f000001:{p}/",
  "http://0177.0.0.1:{p}/",
  "http://127.1:{p}/",
  "http://127.0.0.2:{p}/",
  "http://0.0.0.0:{p}/",
  "http://[::1]:{p}/",
  "http://[::]:{p}/",
  "http://[::ffff:127.0.0.1]:{p}/",
  "http://[::ffff:7f00:1]:{p}/",
  "http://[64:ff9b::7f00:1]:{p}/",
  "http://user@127.0.0.1:{p}/",
  "http://localhost%00.example:{p}/",
  "http://127。0。0。1:{p}/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::ffff:169.254.169.254]/latest/",
  "http://[fd00:ec2::254]/latest/",
  "http://metadata.google.internal/",
  "http://10.0.0.1/",
  "http://192.168.0.1/",
  "http://100.100.100.200/",
  "http://{h}:{p}/",
  "http://localhost:{l}/to-other",
];

/** Asks for each address in both ways at once: as a program that knows the proxy, and the proxy itself. */
const GET = `import http from "node:http";
const late = () => new Promise((_, fail) => setTimeout(fail, 10_000, new Error("late")));
const ways = {
  fetch: async (url) => (await fetch(url)).text(),
  proxy: (path) => new Promise((done, fail) => {
    http.get({ host: "127.0.0.1", port: 3128, path }, async (reply) => {
      let text = "";
      for await (const part of reply) text += part;
      done(text);
    }).on("error", fail);
  }),
};
await Promise.all(JSON.parse(process.argv[2]).flatMap((url, at) =>
  Object.entries(ways).map(async ([way, get]) => {
    const said = await Promise.race([Promise.resolve().then(() => get(url)), late()]).catch((error) => error.message);
    console.log(way, at, JSON.stringify(said).slice(0, 200));
  }),
));
process.exit();
`;

const network: Scene = {
  name: "the network beside the list",
  async attack() {
    const hidden = createServer((_, response) => response.end("reached-canary"));
    const listed = createServer((request, response) => {
      if (request.url !== "/to-other") return void response.end("reached-listed");
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(hidden)}/` }).end();
    });
    const raw = createTcpServer((client) => client.end("reached-canary"));
    for (const server of [hidden, listed, raw]) {
      await new Promise<void>((resolve) => server.listen(0, OPEN, resolve));
    }
    try {
      const [p, l] = [portOf(hidden), portOf(listed)].map(String);
      const fill = (place: string) =>
        place
          .replace("{p}", p ?? "")
          .replace("{l}", l ?? "")
          .replace("{h}", execFileSync("hostname").toString().trim());
      const folder = hostileFolder({ "get.mjs": GET });
      const urls = [...PLACES.map(fill), `http://localhost:${l}/`];
      const bare = `(exec 3<>/dev/tcp/127.0.0.1/${portOf(raw)} && cat <&3) 2>&1`;
      const script = `node get.mjs '${JSON.stringify(urls)}'\necho "bare $(${bare})"`;
      const ended = await hostileRun(
        {
          ...{ folder, key: "sk-ant-attack" },
          flags: ["--sandbox", "required", `--network=localhost:${l}`],
        },
        [[runScript(folder, script)]],
      );
      const text = ended.results[0]?.text ?? ended.stderr;
      const lineOf = (start: string) => text.split("\n").find((line) => line.startsWith(start));
      const ways = PLACES.flatMap((place, at): [string, string][] => [
        [place, `fetch ${at} `],
        [`${place} asked of the proxy`, `proxy ${at} `],
      ]);
      const attacks = [...ways, ["a bare connection", "bare "] as const].map(([name, start]): Attack => {
        const line = lineOf(start);
        const held = line !== undefined && !line.includes("reached-canary") && !line.includes("ami-id");
        return { row: "network", name, held, detail: line ?? text };
      });
      const isReached = lineOf(`fetch ${PLACES.length} `)?.includes("reached-listed") === true;
      const control = { row: "control", name: "the listed port is reached", held: isReached, detail: text };
      return [control, ...attacks];
    } finally {
      for (const server of [hidden, listed, raw]) server.close();
    }
  },
};

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

/** A folder with every program of PATH but bubblewrap. */
function pathWithoutBubblewrap(): string {
  const folder = mkdtempSync(join(tmpdir(), "looplia-programs-"));
  for (const place of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of existsSync(place) ? readdirSync(place) : []) {
      if (name === "bwrap" || existsSync(join(folder, name))) continue;
      try {
        symlinkSync(join(place, name), join(folder, name));
      } catch {
        // The name is there already, and leads to nothing.
      }
    }
  }
  return folder;
}

const isolation: Scene = {
  name: "nothing isolates commands",
  async attack() {
    const PATH = pathWithoutBubblewrap();
    const cases: [string, string[], boolean][] = [
      ["sandbox: required with approval: none", ["--sandbox", "required"], false],
      ["sandbox: auto with approval: none", ["--sandbox", "auto"], false],
      ["sandbox: auto with a rule that allows", ["--sandbox", "auto", "--policy", "allow runCommand"], false],
      [
        "sandbox: required with a rule that allows",
        ["--sandbox", "required", "--policy", "allow runCommand"],
        false,
      ],
      ["sandbox: off", ["--sandbox", "off"], true],
    ];
    const attacks: Attack[] = [];
    for (const [name, flags, runs] of cases) {
      const folder = hostileFolder();
      const place = { folder, key: "sk-ant-attack", flags, environment: { PATH } };
      const ended = await hostileRun(place, [[run("touch ran.txt")]]);
      const held = existsSync(join(folder, "ran.txt")) === runs;
      attacks.push({ row: runs ? "control" : "isolation", name, held, detail: ended.stderr });
      if (runs) continue;
      const isTold = /isolat|bubblewrap/i.test(ended.stdout + ended.stderr);
      attacks.push({
        row: "isolation",
        name: `${name}: people are told`,
        held: isTold,
        detail: ended.stderr,
      });
    }
    rmSync(PATH, { recursive: true });
    return attacks;
  },
};

/** Each ends without the program's help: by a limit on turns, time, output, processes or files. */
const ENDLESS: [name: string, command: string, says: RegExp][] = [
  ["a command without end", "while :; do :; done", /Stopped after 2 s/],
  ["one that ignores signals", "trap '' TERM INT HUP; while :; do sleep 1; done", /Stopped after 2 s/],
  ["output without end", "yes canary", /characters left out|Stopped/],
  ["one long line", "head -c 50000000 /dev/zero | tr '\\0' x", /left out/],
  ["many processes that wait", "for i in $(seq 300); do sleep 900 & done; wait", /Stopped after 2 s/],
  ["a daemon", "(setsid sleep 1000 &) ; true", /Exit code 0/],
  ["a daemon without its environment", "(env -i setsid sleep 1000 &) ; true", /Exit code 0/],
];

const endless: Scene = {
  name: "endless loops, output and processes",
  async attack() {
    const attacks: Attack[] = [];
    for (const mode of ["required", "off"]) {
      const folder = hostileFolder();
      const turns = ENDLESS.map(([, command]) => {
        const { name, input } = runScript(folder, command);
        return [{ name, input: { ...(input as { command: string }), timeoutSeconds: 2 } }];
      });
      const ended = await hostileRun({ folder, key: "sk-ant-attack", flags: ["--sandbox", mode] }, turns);
      for (const [at, [name, , says]] of ENDLESS.entries()) {
        const text = ended.results[at]?.text ?? "";
        const held = says.test(text) && text.length < 40_000;
        attacks.push({
          row: "limits",
          name: `${name} (${mode})`,
          held,
          detail: text.slice(0, 300) || ended.stderr,
        });
      }
      const left = /sleep (?:900|1000)/.test(execFileSync("ps", ["-eo", "args"]).toString());
      attacks.push({ row: "limits", name: `no daemon is left (${mode})`, held: !left });
    }
    const folder = hostileFolder({ "a.txt": "a\n" });
    const reads = Array.from({ length: 40 }, () => [{ name: "readFile", input: { path: "a.txt" } }]);
    const flags = ["--max-turns", "5", "--max-iterations", "1"];
    const ended = await hostileRun({ folder, key: "sk-ant-attack", flags }, reads);
    const turns = ended.results.length;
    attacks.push({
      row: "limits",
      name: "turns without end",
      held: turns > 0 && turns <= 5,
      detail: `${turns}`,
    });
    return attacks;
  },
};

const PATTERNS = ["(a+)+$", "(a|a)*$", "(.*)*x", "([a-z]+)*[0-9]", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"];

const patterns: Scene = {
  name: "regular expressions that never end",
  async attack() {
    const attacks: Attack[] = [];
    for (const pattern of PATTERNS) {
      const folder = hostileFolder();
      mkdirSync(join(folder, "x"));
      writeFileSync(join(folder, "x/a"), "");
      const api = await startMessagesApi((body) =>
        body.messages.some(({ role }) => role === "assistant")
          ? "Done."
          : {
              content: [
                {
                  ...{ type: "tool_use" as const, id: "call_0", name: "askUser" },
                  input: { question: "Which?", kind: "Input", validation: { pattern } },
                },
              ],
            },
      );
      try {
        const variables = { ANTHROPIC_API_KEY: "sk-ant-attack", ANTHROPIC_BASE_URL: api.url };
        const asked = await runCli(["run"], folder, variables);
        const [, id] = /looplia answer (\S+)/.exec(asked.stdout + asked.stderr) ?? [];
        const began = performance.now();
        const answered =
          id === undefined
            ? asked
            : await runCli(["answer", id, "input", `${"a".repeat(50_000)}!`], folder, variables);
        const seconds = (performance.now() - began) / 1000;
        const held = answered.code !== null && seconds < 20;
        attacks.push({
          row: "patterns",
          name: pattern,
          held,
          detail: `${seconds} s ${asked.stderr.slice(0, 200)}`,
        });
      } finally {
        await api.close();
      }
    }
    return attacks;
  },
};

export const approvedScenes: Scene[] = [swaps, network, isolation, endless, patterns];
