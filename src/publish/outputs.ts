// The Action's outputs and the JSON of a result, as the contract names them. Pure.
import { totalInput } from "./figures.ts";
import { type Report, type ReportItem, totalCost, totalUsage } from "./report.ts";

/** Values of artifacts beyond this many characters in all are left out of `result-json`: they are in the branch. */
const LIMIT = 500_000;

export type ResultJson = {
  status: string;
  reasonCode: string;
  sessionId: string;
  output: string;
  path: string | null;
  artifact: unknown;
  usage: ReportItem["usage"] & { costUsd: number | null };
};

/** One item as `run --json` prints it. */
export function toResultJson(item: ReportItem): ResultJson {
  return {
    status: item.status,
    reasonCode: item.reasonCode,
    sessionId: item.sessionId,
    output: item.output,
    path: item.artifactPath ?? null,
    artifact: item.artifact ?? null,
    usage: { ...item.usage, costUsd: item.costUsd },
  };
}

/** Every output by its name; those that do not apply are empty. */
export function writeOutputs(report: Report, work: { workId: string; branch: string }): Map<string, string> {
  const [only, ...others] = report.items;
  const cost = totalCost(report);
  const usage = totalUsage(report);
  const number = report.pullRequest?.number;
  return new Map([
    ["status", report.status],
    ["reason-code", report.reasonCode],
    ["work-id", work.workId],
    ["session-id", only && others.length === 0 ? only.sessionId : ""],
    ["interaction-id", ""],
    ["pull-request-number", number === undefined ? "" : String(number)],
    ["pull-request-url", report.pullRequest?.url ?? ""],
    ["branch", work.branch],
    ["artifact-url", report.artifactUrl ?? ""],
    ["cost-usd", cost === null ? "" : String(roundMoney(cost))],
    ["input-tokens", String(totalInput(usage))],
    ["output-tokens", String(usage.outputTokens)],
    ["items", JSON.stringify(report.items.map((item) => outputItem(item, number)))],
    ["result-json", resultText(report)],
  ]);
}

function outputItem(item: ReportItem, pullRequestNumber: number | undefined) {
  return {
    source: item.source,
    sessionId: item.sessionId,
    status: item.status,
    reasonCode: item.reasonCode,
    ...(pullRequestNumber === undefined ? {} : { pullRequestNumber }),
    interactionIds: [],
    costUsd: item.costUsd === null ? null : roundMoney(item.costUsd),
  };
}

function resultText(report: Report): string {
  const results = report.items.map(toResultJson);
  const write = (list: readonly ResultJson[]) => {
    const [only] = list;
    if (list.length === 1 && only) return JSON.stringify(only);
    if (list.length > 1) return JSON.stringify(list);
    return JSON.stringify({
      status: report.status,
      reasonCode: report.reasonCode,
      message: report.message ?? null,
    });
  };
  const whole = write(results);
  return whole.length <= LIMIT ? whole : write(results.map((result) => ({ ...result, artifact: null })));
}

function roundMoney(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
