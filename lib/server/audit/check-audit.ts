/** The checks of one link of a chain, which verifying and sealing anew have in common. */
import type { Keyring, MasterKey } from "../platform/keyring";
import { sealAuditHead, sealAuditRow, sealResealing, type AuditContent, type Resealing } from "./seal-audit";

export interface AuditFault {
  position: number;
  reason: string;
}

/** The last row that was checked: the next one follows its position, and links to its seal. */
export interface AuditLink {
  position: number;
  seal: string;
}

export const CHAIN_START: AuditLink = { position: 0, seal: "" };

export function faultOfRow(
  keyring: Keyring,
  last: AuditLink,
  row: AuditContent & { seal: string },
): AuditFault | undefined {
  const position = last.position + 1;
  if (row.position !== position) return { position, reason: "a row is missing" };
  return faultOfSeal(keyring, position, "row", row.seal, (master) => sealAuditRow(master, last.seal, row));
}

/** Of the place up to which a chain is sealed anew; `after` is the new seal of the row there. */
export function faultOfResealing(keyring: Keyring, at: Resealing, after: string): AuditFault | undefined {
  const expected = (master: MasterKey) => sealResealing(master, at, after);
  return faultOfSeal(keyring, at.position, "mark of its new seals", at.seal, expected);
}

/** `last` is the chain's last row, as the one after it would link to it. */
export function faultOfHead(
  keyring: Keyring,
  chain: string,
  last: AuditLink,
  head: (AuditLink & { headSeal: string }) | undefined,
): AuditFault | undefined {
  if (head === undefined)
    return last.position === 0 ? undefined : { position: last.position, reason: "the head is missing" };
  const { position, seal, headSeal } = head;
  const fault = faultOfSeal(keyring, position, "head", headSeal, (master) =>
    sealAuditHead(master, chain, position, seal),
  );
  if (fault !== undefined) return fault;
  const isEnd = position === last.position && seal === last.seal;
  return isEnd ? undefined : { position: last.position, reason: "the trail was cut" };
}

/** A key that the ring lacks is told apart: it may be an honest seal, but nobody can say so. */
function faultOfSeal(
  keyring: Keyring,
  position: number,
  what: string,
  seal: string,
  expected: (master: MasterKey) => string,
): AuditFault | undefined {
  const keyId = seal.split(":")[0] ?? "";
  const master = keyring.byId.get(keyId);
  if (master === undefined)
    return { position, reason: `PLATFORM_MASTER_KEYS lacks the key '${keyId}' that seals the ${what}` };
  return expected(master) === seal ? undefined : { position, reason: `the ${what} was changed` };
}
