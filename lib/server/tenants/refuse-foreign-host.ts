/**
 * A host name says whom a token speaks for: the platform signs none for a tenant that another organization has connected,
 * not even to try a connection.
 */
import { Problem } from "@/lib/contract/problem";
import type { Db } from "../database/connect";
import { isForeignHost, lockHost } from "./host-queries";

/** Throws NAME_TAKEN, with an issue at the field. */
export async function refuseForeignHost(db: Db, organizationId: string, hostName: string): Promise<void> {
  if (!(await isForeignHost(db, organizationId, hostName))) return;
  const message = `Another organization has connected '${hostName}' already. Check how it is spelt; if this tenant is yours, ask the operator of this platform to free its host name.`;
  throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: "/hostName", message }]);
}

/** The same, and until the transaction ends no other organization can connect it. */
export async function holdHost(tx: Db, organizationId: string, hostName: string): Promise<void> {
  await lockHost(tx, hostName);
  await refuseForeignHost(tx, organizationId, hostName);
}
