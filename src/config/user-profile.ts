// `.looplia/user-profile.json`: whom the writing is for. Read and checked here, never written.
import { z } from "zod";
import { messageOf } from "../errors.ts";
import type { UserProfile } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { lineAtPath, readYaml } from "./located-yaml.ts";
import { createReport } from "./report.ts";

const topic = z.strictObject({
  topic: z.string().trim().min(1).describe("Looked for as whole words"),
  interestLevel: z.number().min(1).max(5).describe("From 1, hardly, to 5, very much"),
});

const style = z.strictObject({
  tone: z.enum(["beginner", "intermediate", "expert", "mixed"]),
  targetWordCount: z.number().min(100).max(10_000),
  voice: z.enum(["first-person", "third-person", "instructional"]),
});

export const userProfileSchema = z.strictObject({
  $schema: z.string().optional(),
  userId: z.string().min(1),
  topics: z.array(topic),
  style,
  writingSamples: z.array(z.string()).optional(),
});

/** The profile, or undefined; then each problem is in `diagnostics` with its line. */
export function parseUserProfile(
  text: string,
  file: string,
  diagnostics: Diagnostic[],
): UserProfile | undefined {
  const report = createReport(file, diagnostics);
  const source = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    report(lineOfFault(source, messageOf(error)), `is not valid JSON: ${messageOf(error)}`);
    return undefined;
  }
  const parsed = userProfileSchema.safeParse(value);
  if (parsed.success) {
    const { userId, topics, style: wanted, writingSamples } = parsed.data;
    return { userId, topics, style: wanted, ...(writingSamples === undefined ? {} : { writingSamples }) };
  }
  const { root } = readYaml(source, file);
  for (const issue of parsed.error.issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const path = [...issue.path, ...keys.slice(0, 1)];
    const place = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    report(root === undefined ? undefined : lineAtPath(root, path), `${place}${issue.message}`);
  }
  return undefined;
}

// Engines word it differently; where no position is told there is no line.
function lineOfFault(source: string, message: string): number | undefined {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return source.slice(0, Number(position)).split("\n").length;
  return /end of JSON/i.test(message) ? source.split("\n").length : undefined;
}
