// One pace for all requests of a process: refusals and headers hold everybody back, answers let more in.
import { describe, expect, it } from "vitest";
import { Pace } from "../../src/core/model-request.ts";

function createPace() {
  const time = { now: Date.parse("2026-11-20T12:00:00Z") };
  const pace = new Pace(() => time.now);
  /** How long a request would wait now. */
  const waited = async () => {
    let sum = 0;
    await pace.turn(new AbortController().signal, async (ms) => {
      sum += ms;
      time.now += ms;
    });
    return sum;
  };
  return { pace, time, waited };
}

describe("a pace", () => {
  it("holds everybody back as long as a refusal asks", async () => {
    const { pace, waited } = createPace();
    expect(await waited()).toBe(0);
    pace.refused(7_000);
    expect(await waited()).toBe(7_000);
    expect(await waited()).toBe(0);
  });

  it("rises with answers, and halves once for refusals that came together", () => {
    const { pace, time } = createPace();
    expect(pace.atOnce).toBe(4);
    for (let answers = 0; answers < 30; answers += 1) pace.answered();
    expect(pace.atOnce).toBe(8);
    for (let refusals = 0; refusals < 8; refusals += 1) pace.refused(1_000);
    expect(pace.atOnce).toBe(4);
    time.now += 1_000;
    pace.refused(1_000);
    expect(pace.atOnce).toBe(2);
    for (let answers = 0; answers < 5_000; answers += 1) pace.answered();
    expect(pace.atOnce).toBe(64);
  });

  it.each([
    [
      "no request is left",
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-20T12:00:05Z",
      },
      5_000,
    ],
    [
      "hardly a token is left",
      {
        "anthropic-ratelimit-input-tokens-remaining": "10",
        "anthropic-ratelimit-input-tokens-reset": "2026-11-20T12:00:03Z",
      },
      3_000,
    ],
    [
      "OpenAI has no tokens left",
      { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m1.5s" },
      60_000,
    ],
    [
      "there is enough",
      {
        "anthropic-ratelimit-tokens-remaining": "50000",
        "anthropic-ratelimit-tokens-reset": "2026-11-20T12:00:03Z",
      },
      0,
    ],
    [
      "a header is nonsense",
      { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon" },
      0,
    ],
  ])("waits where %s", async (_name, headers, ms) => {
    const { pace, waited } = createPace();
    pace.answered(new Headers(headers));
    expect(await waited()).toBe(ms);
  });
});
