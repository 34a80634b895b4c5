// Every way to an effect that the injector knows, one after the other, in the folder it is given. The second folder
// does not count.
import { execFile, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { link, mkdir, open, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const [folder, elsewhere, url] = process.argv.slice(2);
const file = (name) => join(folder, name);

mkdirSync(file("a"));
writeFileSync(file("a/sync"), "1");
appendFileSync(file("a/sync"), "2");
writeFileSync(join(elsewhere, "uncounted"), "x");
writeFileSync(file("ignored.log"), "x");
await mkdir(file("b"));
await writeFile(file("b/promise"), "1");
const draft = await open(file("b/.draft"), "wx");
await draft.writeFile("first\n");
await draft.datasync();
await link(file("b/.draft"), file("b/segment"));
await unlink(file("b/.draft"));
await draft.appendFile("second\n");
await draft.close();
const parent = await open(file("b"), "r");
await parent.sync();
if (fs.existsSync("/proc/self/fd")) await writeFile(`/proc/self/fd/${parent.fd}/pinned`, "x");
await parent.close();
await promisify(fs.appendFile)(file("c"), "callback");
const descriptor = fs.openSync(file("d"), "w");
const { bytesWritten } = await promisify(fs.write)(descriptor, "descriptor");
fs.fdatasyncSync(descriptor);
fs.closeSync(descriptor);
renameSync(file("d"), file("e"));
const { stdout } = await promisify(execFile)(process.execPath, ["-e", "console.log('child')"]);
spawnSync("true");
const response = await fetch(url, { method: "POST" });
console.log(JSON.stringify({ bytesWritten, stdout, status: response.status }));
