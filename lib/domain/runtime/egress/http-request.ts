/** Which host an HTTP request is for. Whatever two servers could read differently is refused. */
import { normalizeName } from "./allowed-hosts";

export interface RequestHead {
  method: string;
  /** As sent. */
  target: string;
  httpVersion: string;
  /** Names and values in turn, as sent. */
  rawHeaders: readonly string[];
}

export type RequestHost = { name: string } | { refused: string; status: 400 | 403 | 405 | 501 };

const HTTP_PORT = 80;

/** @param port on which it arrived */
export function readRequestHost(
  { method, target, httpVersion, rawHeaders }: RequestHead,
  port: number,
): RequestHost {
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && (rawHeaders[index - 1] ?? "").toLowerCase() === name);
  const refuse = (refused: string, status: 400 | 403 | 405 | 501 = 400) => ({ refused, status });
  if (method === "CONNECT") return refuse("used CONNECT, and there is no proxy", 405);
  if (!target.startsWith("/") && !(target === "*" && method === "OPTIONS"))
    return refuse("sent a request for a proxy");
  const hosts = valuesOf("host");
  const [host = ""] = hosts;
  if (hosts.length !== 1) return refuse(hosts.length === 0 ? "sent no Host" : "sent two Hosts");
  const lengths = valuesOf("content-length");
  const codings = valuesOf("transfer-encoding");
  const isAmbiguous =
    lengths.length > 1 ||
    (lengths.length > 0 && codings.length > 0) ||
    lengths.some((length) => !/^\d{1,15}$/.test(length)) ||
    codings.length > 1 ||
    codings.some((coding) => coding.toLowerCase() !== "chunked") ||
    (codings.length > 0 && httpVersion !== "1.1");
  if (isAmbiguous) return refuse("sent a request whose length is ambiguous");
  if (valuesOf("upgrade").length > 0) return refuse("asked for another protocol over HTTP", 501);
  const [, sent = "", digits] = /^([^:]*)(?::(\d{1,5}))?$/.exec(host) ?? [];
  const name = normalizeName(sent);
  if (name === undefined) return refuse("sent a Host that is not a name");
  if (Number(digits ?? HTTP_PORT) !== port) return refuse("sent a Host with another port");
  return { name };
}

/** Of one connection only (RFC 9110, section 7.6.1). `expect` has been answered. */
const OWN_HEADERS = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** The headers that the other side gets. */
export function passHeaders(rawHeaders: readonly string[]): string[] {
  const named = new Set(
    rawHeaders
      .flatMap((value, index) =>
        index % 2 === 1 && (rawHeaders[index - 1] ?? "").toLowerCase() === "connection"
          ? value.split(",")
          : [],
      )
      .map((name) => name.trim().toLowerCase())
      // Nothing but the sender's wish makes a header of one connection, and it can't wish these away.
      .filter((name) => !["host", "content-length", "content-type", "authorization"].includes(name)),
  );
  return rawHeaders.filter((_, index) => {
    const name = (rawHeaders[index - (index % 2)] ?? "").toLowerCase();
    return !OWN_HEADERS.has(name) && !named.has(name);
  });
}
