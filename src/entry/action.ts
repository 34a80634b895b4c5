// Where the Action's main step begins. Handing over the keys begins the process anew, so that what does the work is loaded
// only then.
import { handOverSecrets } from "./hand-over.ts";

const exposed = handOverSecrets();
if (exposed !== undefined) process.stdout.write(`Keys stay in this process's environment: ${exposed}.\n`);
await import("./action-main.ts");
