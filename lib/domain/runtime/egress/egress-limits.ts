/** Where the platform finds apps, and what each may ask of the guard. */

/** Below the ports that the kernel gives out. Each subnet of the apps' range has one, the same after each start of the guard. */
const FIRST_CALL_PORT = 20_000;
const CALL_PORTS = 12_000;

/** @param index of the app's subnet in the range of all apps' subnets */
export function callPortOf(index: number): number {
  return FIRST_CALL_PORT + (index % CALL_PORTS);
}

/** So that no app keeps the guard from the others. */
export const EGRESS_LIMITS = {
  /** At the same time, in all directions that the app opens. */
  connections: 256,
  /** What is opened: two questions for a name each. */
  connectionsPerSecond: 1_000,
  connectionsAtOnce: 2_000,
  /** Until a connection has said where it leads. */
  greetingMs: 10_000,
  connectMs: 10_000,
  /** Without a byte in either direction. */
  idleMs: 300_000,
  bytesPerSecond: 64 * 1024 * 1024,
  /** Programs without a cache of names ask twice for each connection: for IPv4 and for IPv6. */
  queriesPerSecond: 2_000,
  queriesAtOnce: 4_000,
  /** For names that lead nowhere, which are noted one by one. */
  unknownPerSecond: 50,
  unknownAtOnce: 200,
  /** Of names that are resolved for a connection. */
  lookupsPerSecond: 20,
  lookupsAtOnce: 200,
  /** Hosts that are counted one by one. Further ones are counted together. */
  hosts: 1_000,
} as const;
export type EgressLimits = Readonly<Record<keyof typeof EGRESS_LIMITS, number>>;

/** A budget that fills up over time. */
export class Budget {
  private level: number;
  private at: number;

  /** @param most that is saved up */
  constructor(
    private readonly perSecond: number,
    private readonly most: number,
    now: number,
  ) {
    this.level = most;
    this.at = now;
  }

  /** Takes it if there is enough. */
  take(amount: number, now: number): boolean {
    this.fill(now);
    if (this.level < amount) return false;
    this.level -= amount;
    return true;
  }

  /** Takes it in any case. How many milliseconds to wait until it is paid for. */
  spend(amount: number, now: number): number {
    this.fill(now);
    this.level -= amount;
    return this.level >= 0 ? 0 : Math.ceil((-this.level / this.perSecond) * 1_000);
  }

  private fill(now: number): void {
    // A clock that goes back fills nothing.
    const passed = Math.max(0, now - this.at);
    this.level = Math.min(this.most, this.level + (passed / 1_000) * this.perSecond);
    this.at = now;
  }
}

/** In place of a host: all hosts of an app beyond the limit, counted together. No name has a space. */
export const OTHER_HOSTS = "other hosts";
