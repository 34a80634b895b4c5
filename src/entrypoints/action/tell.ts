// Tells the runner how it ended: outputs, step summary, annotations, and whether the step is red.
import type * as Core from "@actions/core";
import { stateOf } from "../../publish/items-table.ts";
import { writeOutputs } from "../../publish/outputs.ts";
import { countQuestions } from "../../publish/questions-list.ts";
import { type Report, STATE_IS_PUBLIC } from "../../publish/report.ts";
import { renderStepSummary } from "../../publish/step-summary.ts";
import { toPlainText } from "../../session/plain-text.ts";

/** Green: completed, waiting, ignored, and stopped with a warning. Red: failed. */
export async function tellRunner(
  core: typeof Core,
  ended: { report: Report; workId: string; branch: string },
): Promise<void> {
  const { report } = ended;
  for (const [name, value] of writeOutputs(report, ended)) core.setOutput(name, value);
  for (const item of report.items) {
    if (item.status === "failed") core.error(sayItem(item), { title: "looplia", file: item.source });
  }
  if (report.isStatePublic && report.status !== "ignored")
    core.warning(STATE_IS_PUBLIC, { title: "looplia" });
  const said = toPlainText(`${report.reasonCode}: ${report.message ?? sayItems(report)}`);
  if (report.status === "failed") core.setFailed(said);
  else if (report.status === "stopped") core.warning(said, { title: "looplia stopped" });
  else if (report.status === "ignored") core.notice(said, { title: "looplia left this alone" });
  else core.info(sayEnd(report));
  if (process.env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(renderStepSummary(report)).write();
}

/** Words of the program alone: this line reaches the log as it is. */
function sayEnd({ status, reasonCode, questions = [], pullRequest }: Report): string {
  const waits = questions.length > 0 ? `: ${countQuestions(questions.length)}` : "";
  const where = pullRequest ? ` (${pullRequest.url})` : "";
  return `looplia: ${stateOf(status, reasonCode)}${waits}${where}`;
}

function sayItem({ source, message, reasonCode }: Report["items"][number]): string {
  const said = message ?? reasonCode;
  return toPlainText(said.startsWith(source) ? said : `${source}: ${said}`);
}

function sayItems({ items }: Report): string {
  return items
    .filter((item) => item.status !== "completed")
    .map(sayItem)
    .join("\n");
}
