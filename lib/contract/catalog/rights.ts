/**
 * What keeps apps to the hosts that they declare: the egress guard, or nothing, for containers (`open`) or for plain processes (`none`). Null
 * if it isn't known yet.
 */
export type Enforcement = "guard" | "open" | "none" | null;

/** What an app asks for, as pages receive it. */
export interface RightsView {
  /** Null: whatever the core allows apps that list none. */
  permissions: { name: string; purpose: string }[] | null;
  /** Null: any host on the internet. */
  hosts: HostRight[] | null;
}

export interface HostRight {
  /** Absent for a host that customers enter in a setting. */
  host?: string;
  /** The title of that setting. */
  setting?: string;
  /** In ascending order. Empty for a setting, whose value has the port. */
  ports: number[];
  purpose: string;
  /** The app works without it. */
  optional: boolean;
}

/** A host without which an app works, as the organization that uses the app sees it. */
export interface OptionalHost {
  host: string;
  purpose: string;
  /** The owner who refused it, when, and whether the platform blocks it by now; otherwise the app is only told. */
  refused?: { by: string; at: string; isBlocked: boolean } | undefined;
}
