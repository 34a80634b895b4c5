// Starts the Action's main step in a process whose environment holds no keys.
import { handOverSecrets } from "./hand-over.ts";

const exposed = handOverSecrets();
if (exposed !== undefined) process.stdout.write(`Keys stay in this process's environment: ${exposed}.\n`);
await import("./outside/begin.ts");
await import("./action-main.ts");
