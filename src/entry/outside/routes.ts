// Proxies of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`): which requests take them, and what people are told.

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the environment names a proxy. */
export function hasProxy(environment: Environment): boolean {
  return Object.entries(environment).some(([name, value]) => /^https?_proxy$/i.test(name) && value);
}

/**
 * From now on every request of this process takes the proxies that the environment names. Called before the first request;
 * loads nothing where no proxy is named.
 */
export async function takeProxies(environment: Environment): Promise<void> {
  if (!hasProxy(environment)) return;
  const http = process.getBuiltinModule("node:http");
  if ("setGlobalProxyFromEnv" in http && typeof http.setGlobalProxyFromEnv === "function") {
    http.setGlobalProxyFromEnv(environment);
    return;
  }
  // Node before 24.14 has no switch; its `fetch` takes this package's dispatcher.
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import("undici");
  setGlobalDispatcher(new EnvHttpProxyAgent());
}

/** Of each address, by what it is for: `api.github.com through proxy.example:3128`. Empty where no proxy is named. */
export async function describeRoutes(
  addresses: Readonly<Record<string, string>>,
  environment: Environment,
): Promise<string[]> {
  if (!hasProxy(environment)) return [];
  const { getProxyForUrl } = await import("proxy-from-env");
  return Object.entries(addresses)
    .filter(([, url]) => URL.canParse(url))
    .map(([what, url]) => `${what} (${new URL(url).host}) ${routeOf(getProxyForUrl(url))}`);
}

/** Never the login of the proxy. */
function routeOf(proxy: string): string {
  if (proxy === "") return "directly";
  return `through ${URL.canParse(proxy) ? new URL(proxy).host : "a proxy whose address can't be read"}`;
}
