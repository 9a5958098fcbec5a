import { isId } from "@/lib/contract/names";
import type { AuditFilter, AuditView } from "@/lib/contract/audit-view";
import type { Platform } from "../platform/platform";
import { nameReferences, type Names } from "./name-references";
import { selectActors, selectAuditPage, type AuditCursor, type AuditScope } from "./read-queries";

const PAGE = 50;
const EXPORT_PAGE = 1_000;

export interface AuditPage {
  rows: AuditView[];
  /** Cursor of the next page. */
  next?: string;
}

/** A trail, newest first. @param after cursor from the URL; an invalid one means the first page */
export async function readAuditPage(
  platform: Platform,
  scope: AuditScope,
  filter: AuditFilter,
  after?: string,
): Promise<AuditPage> {
  const { rows, next } = await readRows(platform, scope, filter, readCursor(after), PAGE);
  return { rows, next: next && `${next.at}~${next.id}` };
}

/** All rows of a trail, newest first, read page by page as they are asked for. */
export async function* exportAudit(
  platform: Platform,
  scope: AuditScope,
  filter: AuditFilter,
): AsyncGenerator<AuditView[]> {
  let after: AuditCursor | undefined;
  do {
    const { rows, next } = await readRows(platform, scope, filter, after, EXPORT_PAGE);
    if (rows.length > 0) yield rows;
    after = next;
  } while (after !== undefined);
}

/** Who acted in a trail, by name, for the filter. */
export async function listActors(
  platform: Platform,
  scope: AuditScope,
): Promise<{ actor: string; name: string }[]> {
  const actors = await selectActors(platform.db, scope);
  const names = await nameReferences(platform.db, scope, actors);
  return actors
    .map((actor) => ({ actor, name: names(actor) }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

async function readRows(
  { db }: Platform,
  scope: AuditScope,
  filter: AuditFilter,
  after: AuditCursor | undefined,
  limit: number,
): Promise<{ rows: AuditView[]; next?: AuditCursor }> {
  const found = await selectAuditPage(db, scope, filter, after, limit + 1);
  const shown = found.slice(0, limit);
  const names: Names = await nameReferences(
    db,
    scope,
    shown.flatMap(({ actor, subject }) => [actor, subject]),
  );
  const rows = shown.map(({ at, seal: _seal, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actorName: names(row.actor),
    subjectName: names(row.subject),
  }));
  const last = rows.at(-1);
  const next = found.length > limit && last !== undefined ? { at: last.at, id: last.id } : undefined;
  return { rows, next };
}

function readCursor(text = ""): AuditCursor | undefined {
  const [at = "", id = ""] = text.split("~");
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && !Number.isNaN(Date.parse(at)) && isId(id)
    ? { at, id }
    : undefined;
}
