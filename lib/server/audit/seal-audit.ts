import { createHmac } from "node:crypto";
import { deriveKey, type MasterKey } from "../platform/keyring";

export interface AuditContent {
  chain: string;
  position: number;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  at: Date;
}

/** How far a chain is sealed anew: the row at `position` has its new seal, and the next one links to `before` still. */
export interface Resealing {
  chain: string;
  position: number;
  before: string;
  seal: string;
}

/** The seal starts with the id of the master key that made it, so that rotation keeps old rows checkable. */
export function sealAuditRow(master: MasterKey, previous: string, row: AuditContent): string {
  const fields = [
    previous,
    row.chain,
    row.position,
    row.actor,
    row.action,
    row.subject,
    canonical(row.details),
    row.at.toISOString(),
  ];
  return `${master.id}:${hmac(master, JSON.stringify(fields))}`;
}

export function sealAuditHead(master: MasterKey, chain: string, position: number, seal: string): string {
  return `${master.id}:${hmac(master, JSON.stringify(["head", chain, position, seal]))}`;
}

/** Joins the new seal of a row to the one it had before, so that nobody else can end one trail and go on with another. */
export function sealResealing(master: MasterKey, at: Omit<Resealing, "seal">, after: string): string {
  return `${master.id}:${hmac(master, JSON.stringify(["resealing", at.chain, at.position, at.before, after]))}`;
}

const derived = new WeakMap<MasterKey, Buffer>();

function hmac(master: MasterKey, text: string): string {
  let key = derived.get(master);
  if (key === undefined) {
    key = deriveKey(master, "audit");
    derived.set(master, key);
  }
  return createHmac("sha256", key).update(text).digest("hex");
}

/** JSON with sorted keys: PostgreSQL's jsonb does not keep their order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
