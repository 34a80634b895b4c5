// One trial of a campaign: a seed draws rooms, people, faults and settings; then everything calms down, and what must
// hold whatever happened is looked at. Runs are in this process, and a killed one is a run that is stopped at any moment.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { DomainEvent } from "../../src/core/events.ts";
import type { Clock } from "../../src/core/ports.ts";
import { foldEvents, isPending, isUnderWay } from "../../src/core/state.ts";
import { readStoredLines, readWork } from "../../src/store/scan.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";
import { type AskingWorld, createAskingWorld } from "./asking-world.ts";
import { commitFiles } from "./git-http.ts";
import type { StoredComment } from "./github-server-comments.ts";
import { dueOutputs, writeDue } from "./kit-api.ts";
import { ARTICLE } from "./kit-script.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import { deliverHere, postHere, type RanHere, runHere } from "./run-here.ts";
import { behave, use } from "./tasks-world.ts";

const PEOPLE = ["maintainer", "writer", "second"] as const;
const ROOMS = ["one", "one", "per-item", "shards"] as const;
const SCHEDULE = { name: "schedule", payload: { repository: { default_branch: "main" } } };
const MOST_ROUNDS = 14;

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `line`: how long the log was before it. */
type Approval = { call: string; comment: StoredComment; line: number };

export class Trial {
  readonly seed: number;
  readonly log: string[] = [];
  readonly problems: string[] = [];
  readonly #chance: () => number;
  readonly #room: (typeof ROOMS)[number];
  readonly #hasList: boolean;
  readonly #items: string[];
  readonly #approvals: Approval[] = [];
  readonly #requests: AskingWorld["model"]["requests"] = [];
  /** Settings that were changed between runs. */
  #extra = "";
  #runs = 700;
  #calls = 0;
  #world: AskingWorld | undefined;

  constructor(seed: number) {
    this.seed = seed;
    this.#chance = random(seed);
    this.#room = this.#one(ROOMS);
    this.#hasList = this.#room !== "shards" && this.#chance() < 0.35;
    this.#items = ["kettles", "swifts", "tides"].slice(0, 1 + Math.floor(this.#chance() * 3));
  }

  get world(): AskingWorld {
    if (!this.#world) throw new Error("the trial has not begun");
    return this.#world;
  }

  async run(): Promise<void> {
    const texts = this.#items.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`]);
    const list = this.#hasList ? { "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) } : {};
    const files = { ...Object.fromEntries(texts), ...list, "looplia.yml": this.#settings() };
    this.#world = await createAskingWorld(files);
    this.#note(`${this.#room}, ${this.#items.length} items${this.#hasList ? " and a list" : ""}`);
    mkdirSync(this.#effects);
    this.world.modelTurn = (body) => this.#answer(body);
    try {
      await this.#start();
      const steps = 6 + Math.floor(this.#chance() * 7);
      for (let step = 0; step < steps; step += 1) await this.#step();
      await this.#calmDown();
      await this.#look();
    } finally {
      await this.world.close();
    }
  }

  /** GitHub's and the program's clock, which jumps ahead when everything calms down. */
  get #clock(): Clock {
    const ahead = this.world.github.comments.aheadSeconds * 1_000;
    return { now: () => new Date(Date.now() + ahead), elapsed: () => performance.now() };
  }

  get #effects(): string {
    return join(this.world.root, "effects");
  }

  #settings(): string {
    const room = this.#room === "per-item" ? "pull-request: per-item\n" : "";
    return `upload-audit: false\nsandbox: off\n${room}${this.#extra}`;
  }

  /** Each call has a command of its own: it leaves a file outside the repository each time that it runs. */
  #answer(body: ApiBody) {
    const isFirst = body.messages.length === 1;
    if (!body.tools?.some((tool) => "name" in tool && tool.name === "writeArtifact") || isOfList(body)) {
      const ask = (turn: number) =>
        turn === 1 ? use("runCommand", { command: this.#command() }) : undefined;
      return behave({ T1: ask, T2: ask }, body);
    }
    if (dueOutputs(body)[0] !== "ideas" || !isFirst) return writeDue(body);
    return use("runCommand", { command: this.#command() });
  }

  #command(): string {
    this.#calls += 1;
    return `mktemp ${this.#effects}/n${this.#calls}-XXXXXX`;
  }

  #note(line: string): void {
    this.log.push(line);
  }

  #one<T>(of: readonly T[]): T {
    const found = of[Math.floor(this.#chance() * of.length)];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  }

  /** The server takes a step that begins again for a conversation that shrank; `#lookAtRequests` sees all of them. */
  async #forget(): Promise<void> {
    const { model } = this.world;
    this.problems.push(...model.takeFaults().map((fault) => `model: ${fault}`));
    this.#requests.push(...model.requests);
    await this.world.renewModel();
  }

  /** A run, perhaps stopped at any moment, with its post step. */
  async #did(name: string, run: (signal: AbortSignal) => Promise<RanHere>, mayStop = true): Promise<RanHere> {
    await this.#forget();
    const stopping = new AbortController();
    const isStopped = mayStop && this.#chance() < 0.2;
    const ms = Math.floor(this.#chance() * 900);
    const timer = isStopped ? setTimeout(() => stopping.abort("interrupted"), ms) : undefined;
    const ran = await run(stopping.signal);
    clearTimeout(timer);
    this.#note(`${name}${isStopped ? ` (stopped after ${ms} ms)` : ""}: ${ran.ended}`);
    if (isStopped) await postHere(this.world, ran).catch((thrown: unknown) => this.#note(`post: ${thrown}`));
    const { status, reasonCode, message = "" } = ran.report;
    if (reasonCode === "bug") this.problems.push(`${name}: ${message}`);
    const isDead =
      status === "failed" && message.trim() === "" && ran.report.items.every((item) => !item.message);
    if (isDead) this.problems.push(`${name}: ${ran.ended} does not say why`);
    if (!isStopped) this.#lookAtOutputs(name, ran);
    return ran;
  }

  /** Where one work is all there is, what a run puts out is what its status comment says. */
  #lookAtOutputs(name: string, { ended, report }: RanHere): void {
    const number = report.pullRequest?.number;
    if (this.#room !== "one" || this.#hasList || number === undefined) return;
    const shown = this.world.ours("looplia:status").find(({ pullRequest }) => pullRequest === number);
    const headline = /^## looplia: (.*)$/m.exec(shown?.body ?? "")?.[1] ?? "";
    const waits = /waiting for (?:\d+ answers?|your answer)/.test(headline);
    const isWrong =
      (report.status === "completed" && waits) ||
      (report.status === "waiting" && report.reasonCode === "open-questions" && !waits);
    if (isWrong) this.problems.push(`${name}: the run is ${ended}, its status comment says ${headline}`);
  }

  async #start(): Promise<void> {
    if (this.#room === "shards") return this.#shards();
    await this.#schedule();
    if (this.#hasList) await this.#list();
  }

  async #schedule(mayStop = true): Promise<RanHere> {
    return this.#did(
      "schedule",
      (signal) => runHere(this.world, { clock: this.#clock, event: SCHEDULE, signal }),
      mayStop,
    );
  }

  async #list(mayStop = true): Promise<RanHere> {
    const inputs = { content: "", mode: "tasks" };
    return this.#did(
      "list",
      (signal) => runHere(this.world, { clock: this.#clock, event: SCHEDULE, inputs, signal }),
      mayStop,
    );
  }

  async #shards(mayStop = true): Promise<void> {
    this.#runs += 1;
    const environment = { GITHUB_RUN_ID: String(this.#runs) };
    const job = (inputs: Record<string, string>) =>
      this.#did(
        inputs.shard ?? "collect",
        (signal) => runHere(this.world, { clock: this.#clock, event: SCHEDULE, inputs, environment, signal }),
        mayStop && inputs.shard !== undefined,
      );
    for (const shard of ["1/2", "2/2"]) await job({ mode: "content", shard });
    await job({ mode: "collect" });
  }

  async #open(): Promise<{ id: string; call: string; kind: string; comment: StoredComment }[]> {
    const requests = await this.world.github.pullRequests();
    const isOpen = (number: number) => requests.some((one) => one.number === number && one.state === "open");
    return this.world.ours("looplia:request").flatMap((comment) => {
      const [, kind = "", id] = /^\/(approve|choose|answer) (q\d+-[0-9a-f]{6})/m.exec(comment.body) ?? [];
      if (id === undefined || !isOpen(comment.pullRequest)) return [];
      return [{ id, kind, comment, call: /\/(n\d+)-XXXXXX/.exec(comment.body)?.[1] ?? "" }];
    });
  }

  async #say(body: string, pullRequest: number, mayStop = true): Promise<StoredComment> {
    const comment = this.world.github.comments.say(this.#one(PEOPLE), body, { pullRequest });
    const way = mayStop ? this.#chance() : 1;
    const deliver = (signal?: AbortSignal) =>
      deliverHere(this.world, comment, { clock: this.#clock, ...(signal ? { signal } : {}) });
    if (way < 0.12) this.#note(`${body}: never delivered`);
    else if (way < 0.25) {
      const both = await Promise.all([deliver(), deliver()]);
      this.#note(`${body} twice: ${both.map(({ ended }) => ended).join(", ")}`);
    } else await this.#did(body, deliver, mayStop);
    return comment;
  }

  async #answerOne(mayStop = true): Promise<boolean> {
    const open = await this.#open();
    if (open.length === 0) return false;
    const { id, call, kind, comment } = this.#one(open);
    const isConfirm = kind === "approve";
    const words = isConfirm
      ? `/approve ${id}`
      : kind === "choose"
        ? `/choose ${id} 1`
        : `/answer ${id} go on`;
    const line = this.log.length;
    const said = await this.#say(words, comment.pullRequest, mayStop);
    if (call !== "") this.#approvals.push({ call, comment: said, line });
    return true;
  }

  async #step(): Promise<void> {
    const { github, repository } = this.world;
    const requests = (await github.pullRequests()).filter(({ state }) => state === "open");
    const branch = requests.length > 0 ? this.#one(requests).head.ref : undefined;
    const number = requests.length > 0 ? this.#one(requests).number : 1;
    const [open] = await this.#open();
    const steps: [weight: number, run: () => Promise<unknown>][] = [
      [6, () => this.#answerOne()],
      [2, () => this.#start()],
      [
        1,
        async () => {
          const both = await Promise.all(
            [1, 2].map(() => runHere(this.world, { clock: this.#clock, event: SCHEDULE })),
          );
          this.#note(`two schedules: ${both.map(({ ended }) => ended).join(", ")}`);
          for (const { report } of both)
            if (report.reasonCode === "bug") this.problems.push(`${report.message}`);
        },
      ],
      [
        2,
        async () => {
          await github.endPullRequest(number, "closed");
          this.#note(`closed ${number}`);
          if (this.#chance() < 0.7) await this.#start();
          await github.reopenPullRequest(number);
          this.#note(`opened ${number} again`);
        },
      ],
      [
        1,
        async () => {
          if (branch === undefined) return;
          const parents = await repository.git("rev-list", "--max-count=3", branch);
          const [, parent] = parents.split("\n");
          if (parent) await repository.git("update-ref", `refs/heads/${branch}`, parent);
          this.#note(`forced ${branch} back`);
        },
      ],
      [
        1,
        async () => {
          if (branch)
            await commitFiles(
              repository.bare,
              branch,
              { [`by-hand-${this.log.length}.txt`]: "x\n" },
              "by hand",
            );
          this.#note(`pushed to ${branch}`);
        },
      ],
      [
        1,
        async () => {
          if (!open) return;
          const said = github.comments.say("writer", `/approve ${open.id}`, {
            pullRequest: open.comment.pullRequest,
          });
          if (this.#chance() < 0.5) github.comments.edit(said.id, `/approve ${open.id} really`);
          else github.comments.delete(said.id);
          this.#note(`edited or deleted /approve ${open.id}`);
          await this.#did("its event", (signal) =>
            deliverHere(this.world, said, { clock: this.#clock, signal }),
          );
        },
      ],
      [
        1,
        async () => {
          if (!open) return;
          if (this.#chance() < 0.5) github.comments.edit(open.comment.id, `${open.comment.body}\nedited`);
          else github.comments.delete(open.comment.id);
          this.#note(`edited or deleted the question ${open.id}`);
        },
      ],
      [
        1,
        async () => {
          this.#extra = this.#one([
            "",
            "answer-ttl-hours: 100\n",
            "min-approvals: 2\n",
            "max-pull-requests: 2\n",
            "approval: all\n",
          ]);
          await commitFiles(repository.bare, "main", { "looplia.yml": this.#settings() }, "settings");
          this.#note(`settings: ${JSON.stringify(this.#extra)}`);
        },
      ],
      [
        1,
        async () => {
          const path = this.#one([/\/comments$/, /\/pulls$/, /\/check-runs$/]);
          github.lostAnswers.push({ method: "POST", path });
          this.#note(`the next answer to ${path} is lost`);
          await this.#start();
        },
      ],
      [0.5, () => (requests.length > 0 ? this.#say("/cancel", number) : Promise.resolve())],
      [0.5, () => (open ? this.#say(`/reject ${open.id} no`, open.comment.pullRequest) : Promise.resolve())],
      [0.5, () => (requests.length > 0 ? this.#say("/looplia run", number) : Promise.resolve())],
    ];
    const sum = steps.reduce((all, [weight]) => all + weight, 0);
    let drawn = this.#chance() * sum;
    for (const [weight, run] of steps) {
      drawn -= weight;
      if (drawn < 0) return void (await run());
    }
  }

  /** No more faults: people answer everything, and schedules run until nothing is left. */
  async #calmDown(): Promise<void> {
    const { github, repository } = this.world;
    github.answers.length = 0;
    github.lostAnswers.length = 0;
    this.#extra = "";
    await commitFiles(repository.bare, "main", { "looplia.yml": this.#settings() }, "settings");
    // A comment that is missing from the list counts as deleted after a minute.
    github.comments.aheadSeconds = 120;
    this.#note("calm");
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (this.#room === "shards") await this.#shards(false);
      const ran = await this.#schedule(false);
      const list = this.#hasList ? await this.#list(false) : ran;
      for (let answers = 0; answers < 12 && (await this.#answerOne(false)); answers += 1);
      const waits = [ran, list].some(({ report }) => report.status === "waiting");
      if ((await this.#open()).length === 0 && !waits) return;
    }
    this.problems.push("it does not come to an end");
  }

  /** What must hold, whatever happened. */
  async #look(): Promise<void> {
    const { github } = this.world;
    await this.#forget();
    const ran = existsSync(this.#effects) ? readdirSync(this.#effects) : [];
    const times = (call: string) => ran.filter((file) => file.startsWith(`${call}-`)).length;
    for (const call of new Set(ran.map((file) => file.split("-")[0] ?? ""))) {
      if (times(call) > 1) this.problems.push(`${call} ran ${times(call)} times`);
      if (!this.#approvals.some((one) => one.call === call)) this.problems.push(`${call} ran unapproved`);
    }
    for (const { call, comment, line } of this.#approvals) {
      const reactions = github.comments.all.find(({ id }) => id === comment.id)?.reactions ?? [];
      const isDone = reactions.some(({ content }) => content === "rocket");
      // A command that was stopped together with its run has run, for its agent to judge.
      const isCut = this.log.slice(line).some((one) => one.includes("(stopped after"));
      if (isDone && times(call) === 0 && !isCut && !this.#isShared(call))
        this.problems.push(`${call} has a rocket and never ran`);
      const isOpen = github.comments.all.length > 0 && reactions.length === 0;
      if (isOpen && (await this.#isOnOpen(comment)))
        this.problems.push(`nothing was said about ${comment.body}`);
    }
    const requests = await github.pullRequests();
    for (const { number } of requests) {
      const shown = this.world.ours("looplia:status").filter(({ pullRequest }) => pullRequest === number);
      if (shown.length > 1) this.problems.push(`pull request ${number} has ${shown.length} status comments`);
    }
    for (const { pullRequest, body } of this.world.ours("looplia:status")) {
      const isOpen = requests.some(({ number, state }) => number === pullRequest && state === "open");
      const headline = /^## looplia: (.*)$/m.exec(body)?.[1] ?? "";
      if (isOpen && /running|waiting/.test(headline))
        this.problems.push(`pull request ${pullRequest} says "${headline}", and nothing is open`);
    }
    this.#lookAtRequests();
    await this.#lookAtStates(requests.filter(({ state }) => state === "open").map(({ head }) => head.ref));
    this.problems.push(...github.violations.map((one) => `github: ${one}`));
    if (this.problems.length > 0)
      for (const { id, author, body, reactions } of github.comments.all)
        this.#note(
          `${id} ${author.login} [${reactions.map(({ content }) => content)}]: ${body.slice(0, 900)}`,
        );
  }

  /** Each request of a conversation is an earlier one with the answer and what came back. */
  #lookAtRequests(): void {
    const seen = new Set<string>();
    for (const { body } of this.#requests) {
      const { system, tools, messages } = body;
      const before = messages.slice(0, -2);
      const known = (some: typeof messages) =>
        JSON.stringify({ system, tools, messages: some }, (key, value) =>
          key === "cache_control" ? undefined : value,
        );
      if (before.length > 0 && !seen.has(known(before)))
        this.problems.push(`a request of ${messages.length} messages extends no earlier one`);
      seen.add(known(messages));
    }
  }

  /** Under a quorum that was set and taken back, one person's approval need not be enough. */
  #isShared(call: string): boolean {
    return (
      this.#approvals.filter((one) => one.call === call).length > 1 ||
      this.log.some((line) => line.includes("min-approvals"))
    );
  }

  async #isOnOpen({ pullRequest, id }: StoredComment): Promise<boolean> {
    const isThere = this.world.github.comments.all.some((one) => one.id === id);
    const found = (await this.world.github.pullRequests()).find(({ number }) => number === pullRequest);
    return isThere && found?.state === "open";
  }

  async #lookAtStates(open: readonly string[]): Promise<void> {
    const { git } = this.world.repository;
    const refs = (await git("for-each-ref", "--format=%(refname)", "refs/looplia-state")).split("\n");
    const carried = new Map<string, string[]>();
    for (const ref of refs.filter((one) => /\/[a-z0-9-]+$/.test(one))) {
      const folder = await mkdtemp(join(this.world.root, "state-"));
      // Packs are bytes.
      const tar = execFileSync("git", ["archive", ref], {
        cwd: this.world.repository.bare,
        maxBuffer: 2 ** 28,
      });
      execFileSync("tar", ["-x", "-C", folder], { input: tar });
      const workId = ref.split("/").at(-1) ?? "";
      const { sessions } = await readWork(folder);
      for (const [sessionId, { events }] of sessions) {
        this.#lookAtAnswers(sessionId, events);
        const { audit } = await readStoredLines(folder, sessionId);
        if (!audit.ok) this.problems.push(`the audit log of ${sessionId} does not hold: ${audit.reason}`);
        const state = foldEvents(events);
        const isOpen = open.includes(`looplia/${workId}`);
        if (!isOpen || state.canceled || !isUnderWay(state)) continue;
        const waits = [...state.interactions.values()].filter(isPending).length;
        const item = await this.#sourceOf(workId, sessionId);
        carried.set(item, [...(carried.get(item) ?? []), `${workId} (${waits} open)`]);
      }
    }
    for (const [item, works] of carried)
      if (works.length > 1) this.problems.push(`${item} is carried by ${works.join(" and ")}`);
  }

  async #sourceOf(workId: string, sessionId: string): Promise<string> {
    if (workId.startsWith("tasks-")) return "to-do.json";
    const path = `looplia/${workId}:.looplia/contentItem/${sessionId}/session.json`;
    const text = await this.world.repository.git("show", path).catch(() => "{}");
    return String((JSON.parse(text) as { source?: string }).source ?? sessionId);
  }

  #lookAtAnswers(sessionId: string, events: readonly DomainEvent[]): void {
    const given = new Map<string, number>();
    for (const event of events) {
      if (event.type !== "UserInteractionResponded") continue;
      const { interactionId } = event.payload;
      given.set(interactionId, (given.get(interactionId) ?? 0) + 1);
    }
    for (const [interactionId, times] of given)
      if (times > 1) this.problems.push(`${sessionId}: ${interactionId} has ${times} answers`);
  }
}

function isOfList(body: ApiBody): boolean {
  return body.tools?.some((tool) => "name" in tool && tool.name === "reportSummary") ?? false;
}
