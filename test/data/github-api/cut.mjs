// Cuts openapi-slice.json out of GitHub's OpenAPI description as the npm package `@octokit/openapi` has it:
//   npm pack @octokit/openapi@23.0.2, unpack it somewhere, then
//   node test/data/github-api/cut.mjs <folder>/package/generated/api.github.com.json
// The operations of the slice that is here stay; ADDED are put in. Their examples are left out, everything that they
// refer to comes along. Not part of any test.
import { readFileSync, writeFileSync } from "node:fs";

const ADDED = [
  ["/repos/{owner}/{repo}/issues/comments", "get"],
  ["/repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}", "get"],
  ["/orgs/{org}/teams/{team_slug}", "get"],
  ["/orgs/{org}/teams/{team_slug}/memberships/{username}", "get"],
  ["/repos/{owner}/{repo}/actions/permissions/workflow", "get"],
  ["/repos/{owner}/{repo}/actions/secrets", "get"],
  ["/repos/{owner}/{repo}/actions/organization-secrets", "get"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/labels", "post"],
  ["/repos/{owner}/{repo}/issues/{issue_number}/assignees", "post"],
  ["/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers", "post"],
];

const file = new URL("openapi-slice.json", import.meta.url);
const slice = JSON.parse(readFileSync(file, "utf8"));
const whole = JSON.parse(readFileSync(process.argv[2], "utf8"));
if (whole.info.version !== slice.info.version) throw new Error(`the slice is of version ${slice.info.version}`);

const wanted = Object.entries(slice.paths).flatMap(([path, item]) => Object.keys(item).map((verb) => [path, verb]));
const paths = {};
for (const [path, verb] of [...wanted, ...ADDED]) {
  const found = whole.paths[path]?.[verb];
  if (!found) throw new Error(`there is no ${verb} ${path}`);
  paths[path] = { ...paths[path], [verb]: withoutExamples(found) };
}
const components = {};
const pending = [paths];
while (pending.length > 0) {
  for (const [, group, name] of JSON.stringify(pending.pop()).matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g)) {
    components[group] ??= {};
    if (components[group][name]) continue;
    const component = withoutExamples(whole.components[group][name]);
    components[group][name] = component;
    pending.push(component);
  }
}
writeFileSync(file, JSON.stringify({ openapi: whole.openapi, info: whole.info, servers: whole.servers, paths, components }));

function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== "object" || value === null) return value;
  // `examples` beside `schema` is OpenAPI's; anywhere else it may be a property's name.
  const kept = Object.entries(value).filter(([name]) => name !== "examples" || !("schema" in value));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutExamples(inner)]));
}
