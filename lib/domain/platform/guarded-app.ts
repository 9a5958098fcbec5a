/**
 * What an app behind the egress guard is told otherwise than other apps: nothing there leads to an address, only to names. So a core whose
 * URL has an address gets a name, which the guard answers, and relays to exactly that address and port. With HTTPS, the core's certificate is
 * for the address and not for that name, so the guard checks it, and the app speaks HTTP to the guard.
 */

/** Of the guard itself, so that no app's host can have them. Above the ports that the kernel gives out, so that they are never taken. */
export const GUARD_PORTS = { names: 53, state: 61_001, control: 61_002, ask: 61_003 } as const;
export const RESERVED_PORTS: readonly number[] = Object.values(GUARD_PORTS);

/** Where such an app finds the state API on an engine, at the guard's address. */
export const STATE_RELAY_PORT = GUARD_PORTS.state;

/** Where it finds the state API in a cluster, on the port of the state API itself. Only the guard answers this name, on an engine, too. */
export const STATE_NAME = "state.platform.internal";

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Names that lead to an app itself, so that it would never find its core there. */
const LOOPBACK_NAME = /^(?:.+\.)?localhost$/;
const NAMED_ADDRESS =
  /^(?:tls-)?(?:\d{1,3}(?:-\d{1,3}){3}|[\da-f]{1,4}(?:-[\da-f]{1,4}){7})\.core\.internal$/;
const START_OF_URL = /^(https?):\/\/(\[[^\]/]+\]|[^[/:?#]+)/;

interface NamedAddress {
  name: string;
  address: string;
}

/**
 * `172.17.0.1` → `172-17-0-1.core.internal`, and with HTTPS `tls-172-17-0-1.core.internal`. Undefined for a host that has a name already.
 * @param host as `URL.hostname` has it
 */
export function nameAddress(host: string, isTls = false): NamedAddress | undefined {
  const address = LOOPBACK_NAME.test(host) ? "127.0.0.1" : ADDRESS.test(host) ? host : readAddress6(host);
  if (address === undefined) return undefined;
  return { name: `${isTls ? "tls-" : ""}${address.replaceAll(/[.:]/g, "-")}.core.internal`, address };
}

/** With all of its groups: `[fd00::5]` → `fd00:0:0:0:0:0:0:5`. */
function readAddress6(host: string): string | undefined {
  const [, text = ""] = /^\[([\da-f:]+)\]$/.exec(host) ?? [];
  const [start = [], end = []] = text.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - start.length - end.length)).fill("0");
  const groups = [...start, ...zeros, ...end];
  return text === "" || groups.length !== 8 ? undefined : groups.join(":");
}

/** Whether the host could be taken for the name of an address. */
export function looksLikeNamedAddress(host: string): boolean {
  return NAMED_ADDRESS.test(host);
}

/** The URL of a core as guarded apps can use it. */
export function nameCoreUrl(url: string): string {
  return url.replace(START_OF_URL, (start, scheme: string, host: string) => {
    const isTls = scheme === "https";
    const named = nameAddress(host, isTls);
    if (named === undefined) return start;
    const hasPort = url.charAt(start.length) === ":";
    return `http://${named.name}${isTls && !hasPort ? ":443" : ""}`;
  });
}

/** Whether the app that asked the state API is behind the guard. @param host the request's `Host` */
export function isAskedThroughGuard(host: string | undefined): boolean {
  const [name = "", port] = host?.split(":") ?? [];
  return name === STATE_NAME || (port === String(STATE_RELAY_PORT) && ADDRESS.test(name));
}

/** The state API's origin as such an app in a cluster gets it. */
export function nameStateApi(origin: string): string {
  const url = new URL(origin);
  url.hostname = STATE_NAME;
  return url.origin;
}
