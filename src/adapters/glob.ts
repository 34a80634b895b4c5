// Globs in linear time. A model writes them, and translated to a backtracking engine a short one can run for minutes.
import { messageOf } from "../errors.ts";
import { refusal, showPath } from "./path-rules.ts";

/** A test for paths: `*`, `?`, `**`, `[a-z]`, `{a,b}`. A glob without `/` is matched against the last name alone. */
export async function compileGlob(glob: string): Promise<(path: string) => boolean> {
  const { RE2JS } = await import("re2js");
  let pattern: InstanceType<typeof RE2JS>;
  try {
    pattern = RE2JS.compile(toPattern(glob), RE2JS.DOTALL);
  } catch (error) {
    throw refusal(
      `The glob ${showPath(glob)} was refused: ${messageOf(error)}.`,
      "Write it as src/**/*.ts.",
      error,
    );
  }
  const isName = !glob.includes("/");
  return (path) => pattern.testExact(isName ? path.slice(path.lastIndexOf("/") + 1) : path);
}

/** RE2 syntax of a glob; brackets and braces without their other half stand for themselves. */
function toPattern(glob: string): string {
  const tokens = glob.replace(/^\.?\//, "").match(/\*\*\/|\*+|\?|\[[!^]?[^/\]]+\]|\\.|./gsu) ?? [];
  let open = 0;
  let closable = glob.split("}").length - 1;
  const translated = tokens.map((token) => {
    if (token === "**/") return "(?:.*/)?";
    if (/^\*/.test(token)) return token.length > 1 ? ".*" : "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("[")) return toClass(token);
    if (token === "{" && closable > 0) {
      open += 1;
      closable -= 1;
      return "(?:";
    }
    if (token === "}" && open > 0) {
      open -= 1;
      return ")";
    }
    if (token === "," && open > 0) return "|";
    return quote(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
  });
  return translated.join("") + ")".repeat(open);
}

function toClass(token: string): string {
  const isNegated = /^\[[!^]/.test(token);
  const inner = token.slice(isNegated ? 2 : 1, -1).replace(/[\\^[\]&~]/g, "\\$&");
  return `[${isNegated ? "^/" : ""}${inner}]`;
}

function quote(token: string): string {
  return token.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}
