/** Through which proxy a request goes. As with curl, npm and Node, HTTPS uses HTTPS_PROXY alone, and HTTP uses HTTP_PROXY alone. */
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import { Failure } from "../terminal/failure";
import type { Credentials } from "./credentials";

type Target = Pick<Credentials, "url" | "proxies">;

/** One for all requests of a command, so that connections are used again. */
const agents = new Map<string, Dispatcher>();

/** Undefined without a proxy: undici then connects directly. */
export function chooseDispatcher(target: Target): Dispatcher | undefined {
  const proxy = findProxy(target);
  if (proxy === undefined) return undefined;
  const { exceptions } = proxy;
  const url = toProxyUrl(proxy.variable, proxy.value);
  const key = `${url} ${exceptions}`;
  const agent = agents.get(key) ?? createAgent(url, exceptions);
  agents.set(key, agent);
  return agent;
}

/** The variable that names the proxy to this platform, and its value. */
export function findProxy({ url, proxies }: Target) {
  if (proxies === undefined) return undefined;
  const { http, https, exceptions } = proxies;
  const chosen = url.startsWith("https:")
    ? { variable: "HTTPS_PROXY", value: https }
    : { variable: "HTTP_PROXY", value: http };
  return chosen.value === "" ? undefined : { ...chosen, exceptions };
}

function createAgent(proxy: string, exceptions: string): Dispatcher {
  // Undici would use the HTTP proxy for HTTPS, too, and read missing values from the process. So all of them are passed.
  return new EnvHttpProxyAgent({
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: exceptions,
    // Many proxies allow CONNECT for port 443 only, so plain HTTP is forwarded.
    proxyTunnel: false,
  });
}

/** The value is not printed: it may contain a password. */
function toProxyUrl(variable: string, value: string): string {
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new Failure(
    "WRONG_USAGE",
    `${variable} is not the URL of an HTTP proxy. Use a URL such as http://proxy.example:3128.`,
  );
}
