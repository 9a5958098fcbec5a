/** Where the state API is in the cluster: apps ask the guard for it, and then connect to it themselves. */
import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";

type Lookup = (host: string) => Promise<string>;

const findAddress: Lookup = async (host) => (await lookup(host, { family: 4 })).address;

/** Orders wait for it. */
const LOOKUP_MS = 2_000;

export interface StateAddresses {
  /** Looks up those that are not known yet, and waits for a moment. Never throws. */
  want(hosts: Iterable<string>): Promise<void>;
  /** Undefined if it could never be looked up. */
  get(host: string): string | undefined;
  /** Looks up again what is wanted. What can't be found now stays where it was. */
  refresh(): Promise<void>;
}

export function createStateAddresses(find: Lookup = findAddress): StateAddresses {
  const known = new Map<string, string | undefined>();

  async function look(host: string): Promise<void> {
    const address = await find(host).catch(() => known.get(host));
    if (known.has(host)) known.set(host, address);
  }

  return {
    want: async (hosts) => {
      const wanted = new Set(hosts);
      for (const host of known.keys()) if (!wanted.has(host)) known.delete(host);
      for (const host of wanted) if (!known.has(host)) known.set(host, undefined);
      const missing = [...wanted].filter((host) => known.get(host) === undefined);
      if (missing.length === 0) return;
      const late = new AbortController();
      const timer = sleep(LOOKUP_MS, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([Promise.all(missing.map(look)), timer]);
      late.abort();
    },
    get: (host) => known.get(host),
    refresh: async () => void (await Promise.all([...known.keys()].map(look))),
  };
}
