/** Through which proxy a request goes. */
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { ProxySettings } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import type { Credentials } from "./credentials";

/** One for all requests of a command, so that connections are used again. */
const agents = new WeakMap<ProxySettings, Dispatcher>();

/** Undefined without a proxy: undici then connects directly. */
export function chooseDispatcher({ proxies }: Pick<Credentials, "proxies">): Dispatcher | undefined {
  if (proxies === undefined) return undefined;
  const agent = agents.get(proxies) ?? createAgent(proxies);
  agents.set(proxies, agent);
  return agent;
}

function createAgent({ http, https, exceptions }: ProxySettings): Dispatcher {
  // Empty values are passed, too: what is missing would be read from the process.
  return new EnvHttpProxyAgent({
    httpProxy: toProxyUrl("HTTP_PROXY", http),
    httpsProxy: toProxyUrl("HTTPS_PROXY", https),
    noProxy: exceptions,
    // Many proxies allow CONNECT for port 443 only, so plain HTTP is forwarded.
    proxyTunnel: false,
  });
}

/** The value is not printed: it may contain a password. */
function toProxyUrl(variable: string, value: string): string {
  if (value === "") return "";
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new Failure(
    "WRONG_USAGE",
    `${variable} is not the URL of an HTTP proxy. Use a URL such as http://proxy.example:3128.`,
  );
}
