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

// Variables that settings name: `${NAME}` or `${NAME:-default}`, for MCP servers and the hook.

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** What the runner and the clouds' libraries read as credentials of this run. */
const CREDENTIALS =
  /^(?:ACTIONS_\w+|ANTHROPIC_AUTH_TOKEN|AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|BEARER_TOKEN_\w+|WEB_IDENTITY_TOKEN_FILE|CONTAINER_\w+)|GOOGLE_(?:APPLICATION_)?CREDENTIALS)$/;
/** A shorter value stands in other texts by chance. */
const LEAST_OWN_LENGTH = 8;

/**
 * Refers to the keys, tokens and credentials that this run uses itself: no setting may, because what it starts or where it
 * sends is the repository's choice. Names the variables of `text` that do, by their name or by their value.
 */
function ownVariables(text: string, environment: Environment, settings: Secrets | undefined): string[] {
  const isOwnName = (name: string): boolean => SETTING_NAMES.has(name) || CREDENTIALS.test(name);
  const values = new Map<string, unknown>(Object.entries(settings ?? {}));
  const own = [
    ...Object.keys(secretSettings).map((key) => values.get(key)),
    ...Object.entries(environment).flatMap(([name, value]) => (isOwnName(name) ? [value] : [])),
    ...proxyPasswords(environment),
  ].flatMap((value) => (typeof value === "string" ? value.split(/\r?\n/) : []));
  const secrets = own.filter((value) => value.length >= LEAST_OWN_LENGTH);
  const names = [...text.matchAll(VARIABLE)].map(([, name = ""]) => name);
  return names.filter(
    (name) => isOwnName(name) || secrets.some((secret) => environment[name]?.includes(secret)),
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The text with its variables replaced; or the names of variables without a value or default (`missing`), or of those that
 * hold a secret of this run (`own`).
 */
export function fillVariables(
  text: string,
  environment: Environment,
  settings?: Secrets,
): { text: string } | { missing: string[] } | { own: string[] } {
  const own = ownVariables(text, environment, settings);
  if (own.length > 0) return { own };
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
