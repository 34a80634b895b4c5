// Makes docs/terminal/*.svg: the live view and the full-screen view, in light and dark. A test compares them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileOf, themes } from "./pictures/page.ts";
import { terminalPictures } from "./pictures/terminal.ts";

const folder = resolve(import.meta.dirname, "../docs/terminal");
mkdirSync(folder, { recursive: true });
for (const [name, draw] of terminalPictures()) {
  for (const theme of themes) writeFileSync(join(folder, `${fileOf(name, theme)}.svg`), draw(theme));
}
