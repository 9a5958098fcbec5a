/** What an app asks for, as pages receive it. */
export interface RightsView {
  permissions: { name: string; purpose: string }[];
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
