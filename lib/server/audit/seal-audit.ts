import { createHmac } from "node:crypto";
import type { AuditKey } from "../keys/audit-key";

export interface AuditContent {
  chain: string;
  position: number;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  at: Date;
}

/** Covers the row and the previous row's seal. `<id of the audit key>:<HMAC-SHA-256, hex>`. */
export function sealAuditRow(key: AuditKey, previous: string, row: AuditContent): string {
  const { chain, position, actor, action, subject, details, at } = row;
  return hmac(key, [previous, chain, position, actor, action, subject, canonical(details), at.toISOString()]);
}

export function sealAuditHead(key: AuditKey, chain: string, position: number, seal: string): string {
  return hmac(key, ["head", chain, position, seal]);
}

function hmac({ id, key }: AuditKey, fields: readonly (string | number)[]): string {
  return `${id}:${createHmac("sha256", key).update(JSON.stringify(fields)).digest("hex")}`;
}

/** JSON with sorted keys, because PostgreSQL's jsonb doesn't keep their order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
