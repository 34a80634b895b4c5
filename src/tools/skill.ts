// Skill: instructions on demand, and the files that come with them.
import { z } from "zod";
import type { Tool } from "./tool.ts";

const input = z.strictObject({
  name: z.string().min(1),
  file: z.string().min(1).optional().describe("One of its files"),
});

export const skillTool: Tool<z.infer<typeof input>> = {
  name: "Skill",
  description: "Read a skill's instructions, or one of its files, before work that the skill is for.",
  input,
  effect: "read",
  risk: "safe",
  summarize: ({ name, file }) => (file ? `${name}/${file}` : name),
  async run({ name, file }, { skills }) {
    const skill = skills.get(name);
    if (!skill) {
      const known = [...skills.keys()].join(", ") || "none";
      return { text: `There is no skill ${JSON.stringify(name)}. Skills: ${known}.`, isError: true };
    }
    if (file === undefined) {
      const list = skill.files.length > 0 ? `\n\nFiles of this skill: ${skill.files.join(", ")}` : "";
      return { text: skill.body + list };
    }
    // Only what is in the list is ever read: the name comes from a model.
    const text = skill.files.includes(file) ? await skill.read(file) : undefined;
    if (text !== undefined) return { text };
    const known = skill.files.join(", ") || "none";
    return { text: `The skill ${name} has no file ${JSON.stringify(file)}. Files: ${known}.`, isError: true };
  },
};
