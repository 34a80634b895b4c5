// What of the process's environment a command gets. A list of exact names: a key can't match it by accident. Pure.

const ALLOWED = new Set(
  [
    "PATH HOME USER LOGNAME SHELL TMPDIR TZ TERM CI NO_COLOR LANG LANGUAGE",
    "LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME",
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR",
  ]
    .join(" ")
    .split(" "),
);

/** The variables that commands may see: never a key, a token, or one of the runner's or the project's own. */
export function commandEnvironment(environment: Record<string, string | undefined>): Record<string, string> {
  const allowed = Object.entries(environment).filter(
    (entry): entry is [string, string] => ALLOWED.has(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(allowed);
}
