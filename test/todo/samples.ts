// To-do files for tests.
import type { TodoTask } from "../../src/todo/document.ts";

export function makeTask(id: string, more: Partial<TodoTask> = {}): TodoTask {
  return { id, title: `Do ${id}`, priority: 3, status: "todo", ...more };
}

export function makeTodo(tasks: readonly unknown[], more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({ schema_version: 1, source_files: ["README.md"], ...more, tasks }, null, 2)}\n`;
}

/** Numbers that JavaScript can't hold, odd order, odd spacing, fields of somebody's own. */
export const GNARLY = `{
  "x-owner": {"name": "Ada", "big": 12345678901234567890, "huge": 1e400, "small": 0.10},
  "tasks": [
    { "title": "One line", "id": "T1", "status": "todo", "priority": 2, "x-cost": 1e400 },
    {
        "status" : "todo",
        "id"     : "T2",
        "priority": 1,
        "title": "Four \\u00e9 spaces",
        "files": [ "a.md" ],
        "x-nested": { "status": "todo", "n": 12345678901234567890 }
    }
  ],
  "source_files": [],
  "schema_version": 1.0
}`;
