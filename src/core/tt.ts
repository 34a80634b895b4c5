import { appendFileSync } from "node:fs";
const l: string[] = [];
process.on("exit", () => { if (process.env.TFILE) appendFileSync(process.env.TFILE, l.join(" ") + " exit=" + (performance.timeOrigin + performance.now()).toFixed(1) + "\n"); });
export function T(n: string): void { l.push(n + "=" + (performance.timeOrigin + performance.now()).toFixed(1)); }
l.push("origin=" + performance.timeOrigin.toFixed(1));
