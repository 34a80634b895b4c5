// The to-do file (INTERFACE §7). Unknown fields are anybody's: they are let through and never touched.
import { z } from "zod";

const texts = () => z.array(z.string());
/** People write a paragraph or a list of lines. */
const prose = () => z.union([z.string(), texts()]).exactOptional();

export const TASK_STATUSES = ["todo", "doing", "blocked", "done"] as const;

export const todoTaskSchema = z.looseObject({
  id: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .describe("1–64 characters, no control characters"),
  title: z.string().min(1),
  priority: z.int().min(1).max(5).describe("1 is the highest"),
  status: z.enum(TASK_STATUSES),
  details: prose(),
  description: prose(),
  reference: prose(),
  steps: texts().exactOptional(),
  blockers: texts().exactOptional(),
  tags: texts().exactOptional(),
  files: texts().exactOptional(),
  depends_on: texts().exactOptional().describe("Ids of tasks that must be done before"),
  created_at: z.string().exactOptional(),
  updated_at: z.string().exactOptional(),
});

export const todoFileSchema = z.looseObject({
  schema_version: z.literal(1),
  project: z.looseObject({ name: z.string(), root: z.string() }).exactOptional(),
  source_files: texts(),
  tasks: z.array(todoTaskSchema),
});

export type TaskStatus = (typeof TASK_STATUSES)[number];
export type TodoTask = z.infer<typeof todoTaskSchema>;
export type TodoFile = z.infer<typeof todoFileSchema>;
