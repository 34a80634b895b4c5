// Behind a company's proxy, and with its certificate authority: GitHub, git, the model and the artifact upload all work.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { startHttpProxy } from "../fakes/http-proxy.ts";
import { openHttpsFront } from "../fakes/https-front.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import { startOpenAIApi } from "../fakes/openai-api.ts";

const portOf = (url: string) => new URL(url).port;

/** Each name exists at the proxy alone. */
function proxiedNames(url: string): Record<string, string> {
  return { HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url };
}

test("the Action reaches everything through the proxy, asks, and goes on", async () => {
  const proxy = await startHttpProxy();
  onTestFinished(() => proxy.close());
  const world = await createAskingWorld();
  onTestFinished(() => world.close());
  const { github, model, artifacts, repository } = world;
  const git = new URL(repository.serverUrl);
  const environment = {
    ...proxiedNames(proxy.url),
    GITHUB_API_URL: `http://api.proxied:${portOf(github.apiUrl)}`,
    ACTIONS_RESULTS_URL: `http://results.proxied:${portOf(artifacts.environment.ACTIONS_RESULTS_URL)}/`,
  };
  const inputs = { "anthropic-base-url": `http://model.proxied:${portOf(model.url)}` };
  const asked = await world.start({ environment, inputs });
  expect(ended(asked), said(asked)).toBe("waiting open-questions");
  const approved = await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`), {
    environment,
    inputs,
  });
  expect(ended(approved), said(approved)).toBe("completed done");
  expect(approved.outputs.get("artifact-url")).toMatch(/artifacts/);
  expect(artifacts.artifacts.length).toBeGreaterThan(0);
  for (const host of ["api.proxied", "results.proxied", "model.proxied", git.hostname]) {
    expect([...proxy.hosts].map((asked) => asked.split(":")[0])).toContain(host);
  }
});

test("the command line takes the proxy for each provider, not for NO_PROXY, and doctor says which way", async () => {
  const proxy = await startHttpProxy();
  const anthropic = await startMessagesApi(writeDue);
  const openai = await startOpenAIApi(writeDue);
  onTestFinished(async () => void (await Promise.all([proxy.close(), anthropic.close(), openai.close()])));
  const world = await makeCliWorld();
  const run = ["run", "--file", "content/kettles.md", "--json"];
  const models = {
    anthropic: {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: `http://a.proxied:${portOf(anthropic.url)}`,
    },
    openai: {
      ...{ OPENAI_API_KEY: "k", LOOPLIA_PROVIDER: "openai", LOOPLIA_MODEL: "m" },
      OPENAI_BASE_URL: `http://o.proxied:${portOf(openai.url)}/v1`,
    },
  };
  for (const access of Object.values(models)) {
    const ran = await world.run(run, { ...access, ...proxiedNames(proxy.url) });
    expect(ran.code, ran.stderr).toBe(0);
  }
  expect([...proxy.hosts].map((host) => host[0])).toEqual(["a", "o"]);

  const dead = proxiedNames("http://name:secret-of-the-proxy@127.0.0.1:9");
  const direct = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: anthropic.url, NO_PROXY: "127.0.0.1" };
  const ran = await world.run(run, { ...direct, ...dead });
  expect(ran.code, ran.stderr).toBe(0);
  const { stdout } = await world.run(["doctor"], { ...direct, ...dead });
  expect(stdout).toMatch(/✓ route +GitHub \(api\.github\.com\) through 127\.0\.0\.1:9$/m);
  expect(stdout).toMatch(/✓ route +git \(github\.com\) through 127\.0\.0\.1:9$/m);
  expect(stdout).toMatch(/✓ route +model \(127\.0\.0\.1:\d+\) directly$/m);
  expect(stdout).not.toContain("secret-of-the-proxy");
});

test("GitHub, git, the model and the artifact upload trust what NODE_EXTRA_CA_CERTS names, and nothing without it", async () => {
  const world = await createAskingWorld();
  const front = await openHttpsFront(["git.localhost"]);
  onTestFinished(async () => void (await Promise.all([world.close(), front.close()])));
  const { github, model, artifacts, repository } = world;
  const file = join(world.root, "company.pem");
  await writeFile(file, front.certificate);
  const environment = {
    GITHUB_API_URL: await front.of(github.apiUrl),
    GITHUB_SERVER_URL: await front.of(repository.serverUrl),
    ACTIONS_RESULTS_URL: `${await front.of(artifacts.environment.ACTIONS_RESULTS_URL)}/`,
  };
  const inputs = { "anthropic-base-url": await front.of(model.url) };
  const distrusted = await world.start({ environment, inputs });
  expect(distrusted.outputs.get("status"), said(distrusted)).toBe("failed");
  const trusted = { ...environment, NODE_EXTRA_CA_CERTS: file };
  const asked = await world.start({ environment: trusted, inputs });
  expect(ended(asked), said(asked)).toBe("waiting open-questions");
  expect(artifacts.artifacts.length).toBeGreaterThan(0);
});
