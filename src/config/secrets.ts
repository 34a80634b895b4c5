// Determines which settings and variables are secrets. The process that hands over the keys loads nothing else of the settings.

/** The parts of the secret settings' rows that name their variables, by the setting's key. */
export const secretSettings = {
  githubToken: { name: "github-token", isSecret: true, usualName: "GITHUB_TOKEN" },
  anthropicApiKey: { name: "anthropic-api-key", isSecret: true, usualName: "ANTHROPIC_API_KEY" },
  claudeCodeOauthToken: {
    name: "claude-code-oauth-token",
    isSecret: true,
    usualName: "CLAUDE_CODE_OAUTH_TOKEN",
  },
  openaiApiKey: { name: "openai-api-key", isSecret: true, usualName: "OPENAI_API_KEY" },
  stateKey: { name: "state-key", isSecret: true },
} as const;

/** The settings that hold secrets or name variables that do. */
type Secrets = { readonly [Key in keyof typeof secretSettings]?: string | undefined } & {
  mcpServers?: readonly { name: string; headers?: Readonly<Record<string, string>> }[];
};

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|_KEY|_PAT)$|^AWS_BEARER_TOKEN/i;
/** A shorter value under such a name may be an ordinary word: a policy's, a user's, a file's. */
const LEAST_LENGTH = 16;

/** The variables that secret settings are read from. */
const SETTING_NAMES: ReadonlySet<string> = new Set(
  Object.values(secretSettings).flatMap((row) => [
    `INPUT_${row.name.toUpperCase()}`,
    environmentName(row.name),
    ...("usualName" in row ? [row.usualName] : []),
  ]),
);

/** `max-turns` → `LOOPLIA_MAX_TURNS` */
export function environmentName(name: string): string {
  return `LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Whether the value of this variable may be a key. */
export function isSecretName(name: string): boolean {
  return SETTING_NAMES.has(name) || SECRET_NAME.test(name);
}

/** Empty if nothing is secret. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  settings?: Secrets,
): string[] {
  const values = new Map<string, unknown>(Object.entries(settings ?? {}));
  const known = [
    ...Object.keys(secretSettings).map((key) => values.get(key)),
    ...[...SETTING_NAMES, ...headerVariables(settings?.mcpServers)].map((name) => environment[name]),
  ];
  const named = Object.entries(environment)
    .filter(([name, value = ""]) => SECRET_NAME.test(name) && value.length >= LEAST_LENGTH)
    .map(([, value]) => value);
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  // The value may contain several keys, one per line.
  const stateKey = settings?.stateKey ?? environment["INPUT_STATE-KEY"] ?? environment.LOOPLIA_STATE_KEY;
  const passwords = proxyPasswords(environment);
  return [...new Set([...known, ...named, ...passwords, ...(stateKey?.split(/\r?\n/) ?? [])].filter(isText))];
}

/** Passwords in addresses like `http://name:password@proxy`. */
function proxyPasswords(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = ""]) => {
    if (!/^https?_proxy$/i.test(name) || !URL.canParse(value)) return [];
    const { password } = new URL(value);
    return password;
  });
}

// Variables that the settings of MCP servers name: `${NAME}` or `${NAME:-default}`.

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The text with its variables replaced, or the names of variables without a value or default. */
export function fillVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { text: string } | { missing: string[] } {
  const missing: string[] = [];
  const filled = text.replace(VARIABLE, (_, name: string, otherwise?: string) => {
    const value = environment[name] || otherwise;
    if (value === undefined) missing.push(name);
    return value ?? "";
  });
  return missing.length > 0 ? { missing } : { text: filled };
}

/** Names of the variables whose values are sent in headers: they are secrets. */
function headerVariables(servers: Secrets["mcpServers"] = []): string[] {
  const values = servers.flatMap(({ headers = {} }) => Object.values(headers));
  return values.flatMap((value) => [...value.matchAll(VARIABLE)].map(([, name = ""]) => name));
}
