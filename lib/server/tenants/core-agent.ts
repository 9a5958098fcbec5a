/** Connections to customers' cores. The address is checked when each socket is made, so that no name can change its mind in between. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { refusalOf } from "./core-address";

export const CORE_ANSWER_BYTES = 1024 * 1024;
export const CORE_DEADLINE_MS = 5_000;

/** The address is one that the platform does not connect to. */
export class CoreAddressRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "CoreAddressRefused";
  }
}

/**
 * An undici Agent with a connector of its own: it resolves the host, refuses when any of its addresses is refused, and
 * connects to the address that it checked. (A `lookup` hook would be skipped for hosts that are addresses already.)
 * Follows no redirects. `ownCore` is an origin that may be on a private network though others may not.
 */
export function coreAgent(privateCores: boolean, ownCore?: string): Agent {
  const connect = buildConnector({ timeout: CORE_DEADLINE_MS });
  const own = ownCore === undefined ? undefined : new URL(ownCore);
  return new Agent({
    maxResponseSize: CORE_ANSWER_BYTES,
    maxHeaderSize: 16 * 1024,
    headersTimeout: CORE_DEADLINE_MS,
    bodyTimeout: CORE_DEADLINE_MS,
    connect: (options, callback) => {
      const isOwn =
        own !== undefined &&
        options.protocol === own.protocol &&
        bare(options.hostname) === bare(own.hostname) &&
        portOf(options.port, options.protocol) === portOf(own.port, own.protocol);
      checkedAddress(options.hostname, privateCores || isOwn).then(
        (address) => {
          const named = isIP(bare(options.hostname)) === 0 ? bare(options.hostname) : undefined;
          connect({ ...options, hostname: address, servername: options.servername ?? named }, callback);
        },
        (error: unknown) =>
          callback(error instanceof Error ? error : new Error("the host could not be resolved"), null),
      );
    },
  });
}

/** The first address of `host`, when all of them are allowed. */
export async function checkedAddress(host: string, privateCores: boolean): Promise<string> {
  const found = await lookup(bare(host), { all: true });
  for (const { address } of found) {
    const refusal = refusalOf(address, privateCores);
    if (refusal !== undefined) throw new CoreAddressRefused(refusal);
  }
  const [first] = found;
  if (first === undefined) throw new CoreAddressRefused("it has no address");
  return first.address;
}

/** `[::1]` → `::1`. */
function bare(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** An address leaves the port of its protocol out. */
function portOf(port: string, protocol: string): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}
