// writeArtifact: hands an output to the program, which checks it and writes the file.
import { z } from "zod";
import { messageOf } from "../errors.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({
  output: z.string().min(1).describe("Its name in the pipeline"),
  content: z
    .unknown()
    .refine((value) => value !== undefined, "is missing")
    .describe("The JSON value itself"),
});

export const writeArtifactTool: Tool<z.infer<typeof input>> = {
  name: "writeArtifact",
  description:
    "Deliver an output of your task. It is checked and saved only if valid; otherwise the errors come back: correct them and send it all again.",
  input,
  effect: "repeatable",
  risk: "safe",
  summarize: ({ output }) => output,
  async run({ output, content }, { artifacts }) {
    if (typeof content !== "string" || !/^\s*[[{]/.test(content)) return artifacts.write(output, content);
    let parsed: unknown;
    try {
      parsed = JSON.parse(content);
    } catch (error) {
      const text = `content is a text that is not JSON: ${messageOf(error)}. Send the JSON value itself.`;
      return { text, isError: true };
    }
    return artifacts.write(output, parsed);
  },
};
