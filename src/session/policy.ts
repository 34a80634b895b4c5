// A rule of `policy`, once read. Rules are made by src/config and applied by src/approval.

export type PolicyRule = {
  effect: "deny" | "ask" | "allow";
  tool: string;
  /** As it was written. */
  text: string;
  /** editFile: which paths; undefined: all. */
  matchesPath?: (path: string) => boolean;
  /** runCommand: the words that a command begins with; undefined: any command. */
  words?: readonly string[];
};
