/** Where a request that signs in, signs up or sets a password comes from. */
export interface Client {
  /** Of the address: of IPv6 the /64. Empty if it is unknown. */
  network: string;
  userAgent: string;
  /** Users who have signed in with this browser, each with what identifies the browser for them. */
  devices: ReadonlyMap<string, string>;
}

/** Commands and the demo, which act on this machine. */
export const LOCAL_CLIENT: Client = { network: "", userAgent: "", devices: new Map() };
