/**
 * What an app behind the egress guard is told otherwise than other apps: nothing there leads to an address, only to names. So a core whose
 * URL has an address gets a name, which the guard answers, and relays to exactly that address and port.
 */

/** Where such an app finds the state API, at the guard's address. Above the ports that the kernel gives out, so that it is never taken. */
export const STATE_RELAY_PORT = 61_001;

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const NAMED_ADDRESS = /^\d{1,3}(?:-\d{1,3}){3}\.core\.internal$/;
const URL_OF_ADDRESS = /^(https?:\/\/)(\d{1,3}(?:\.\d{1,3}){3})(?=[:/]|$)/;

/** `172.17.0.1` → `172-17-0-1.core.internal`. Undefined for a host that has a name already. */
export function nameAddress(host: string): string | undefined {
  return ADDRESS.test(host) ? `${host.replaceAll(".", "-")}.core.internal` : undefined;
}

/** Whether the host could be taken for the name of an address. */
export function looksLikeNamedAddress(host: string): boolean {
  return NAMED_ADDRESS.test(host);
}

/** The URL of a core as guarded apps can use it. */
export function nameCoreUrl(url: string): string {
  return url.replace(
    URL_OF_ADDRESS,
    (_, scheme: string, host: string) => `${scheme}${nameAddress(host) ?? host}`,
  );
}

/** Whether the app asked the state API through the guard. @param host the request's `Host` */
export function isAskedThroughGuard(host: string | undefined): boolean {
  const [address = "", port] = host?.split(":") ?? [];
  return port === String(STATE_RELAY_PORT) && ADDRESS.test(address);
}
