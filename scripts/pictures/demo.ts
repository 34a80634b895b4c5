/** The words of the demo's output, without what differs from run to run: folders, ids, times. */
export function demoWords(output: string): string {
  return output
    .replaceAll(/\/\S*\/looplia-demo-\w+/g, "<folder>")
    .replaceAll(/-\d{4}-\d\d-\d\d-[0-9a-f]{6}\b/g, "-<id>")
    .replace(
      /node\s+\S*dist\/cli\/index\.js\s+run\s+--file\s+<article\.md>/,
      "looplia run --file <article.md>",
    )
    .replaceAll(/\b\d+(?:\.\d+)? ?m?s\b/g, "<time>");
}
