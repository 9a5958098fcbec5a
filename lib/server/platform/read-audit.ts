import {
  type AuditFilter,
  type AuditView,
  type ExportFormat,
  MOST_AUDITED,
} from "@/lib/contract/platform/audit-view";
import type { FoundOptions } from "@/lib/contract/platform/options";
import type { Pages } from "@/lib/contract/platform/pages";
import { hasTypedWords } from "@/lib/domain/platform/text";
import { UTC } from "@/lib/domain/platform/zone";
import { type AuditScope, countAudit, selectActors, selectAuditPage, selectNames } from "./audit-queries";
import type { Db } from "./database/connect";
import { searchText } from "./database/expressions";
import { byKey, readAll, readPage } from "./database/paging";
import type { Platform } from "./platform";
import { type Column, writeRows } from "./write-rows";

const PAGE = 25;
const EXPORT_PAGE = 1_000;

type AuditRow = Awaited<ReturnType<typeof selectAuditPage>>[number];

const BY_TIME = byKey<AuditRow>("timestamptz", ({ at }) => at.toISOString());

/** A trail, newest first. @param zone of the filter's days @param after cursor from the URL; an invalid one means the first page */
export async function readAuditPage(
  platform: Platform,
  scope: AuditScope,
  filter: AuditFilter,
  after?: string,
  zone = UTC,
): Promise<{ rows: AuditView[]; total: number } & Pages> {
  const [{ rows, ...pages }, total] = await Promise.all([
    readPage(after, PAGE, BY_TIME, (position, limit) =>
      selectAuditPage(platform.db, scope, filter, zone, position, limit),
    ),
    countAudit(platform.db, scope, filter, zone, MOST_AUDITED),
  ]);
  return { rows: await viewRows(platform.db, scope, rows), total, ...pages };
}

/** All rows of a trail, newest first, read page by page as they are asked for. */
export async function* exportAudit(
  platform: Platform,
  scope: AuditScope,
  filter: AuditFilter,
  zone = UTC,
): AsyncGenerator<AuditView[]> {
  const { db } = platform;
  const pages = readAll(BY_TIME, EXPORT_PAGE, (position, limit) =>
    selectAuditPage(db, scope, filter, zone, position, limit),
  );
  for await (const rows of pages) yield await viewRows(db, scope, rows);
}

const OFFERED_ACTORS = 50;

/** Who acted in a trail and has these words in their name, for the filter. */
export async function findActors(
  { db }: Platform,
  scope: AuditScope,
  typed: string | undefined,
): Promise<FoundOptions> {
  const actors = await selectActors(db, scope);
  const names = await nameReferences(db, scope, actors);
  const found = actors
    .map((actor) => ({ value: actor, text: names(actor) }))
    .filter(({ text }) => hasTypedWords(text, searchText(typed) ?? ""))
    .sort((a, b) => a.text.localeCompare(b.text, "en"));
  return { options: found.slice(0, OFFERED_ACTORS), more: found.length > OFFERED_ACTORS };
}

/** The name of the one who a filter is about. */
export async function nameActor(
  { db }: Platform,
  scope: AuditScope,
  { actor }: AuditFilter,
): Promise<string | undefined> {
  return actor === undefined ? undefined : (await nameReferences(db, scope, [actor]))(actor);
}

async function viewRows(db: Db, scope: AuditScope, rows: readonly AuditRow[]): Promise<AuditView[]> {
  const references = rows.flatMap(({ actor, subject }) => [actor, subject]);
  const names: Names = await nameReferences(db, scope, references);
  return rows.map(({ at, seal: _seal, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actorName: names(row.actor),
    subjectName: names(row.subject),
  }));
}

/** Names for the ids in audit trails. */
type Names = (reference: string) => string;

/** Actors that are not a person or a key. */
const OTHERS: Record<string, string> = {
  worker: "The platform",
  platform: "The platform",
  "operator:command": "An operator of the platform",
  "operator:launcher": "The platform’s set-up",
};

const NOUNS: Record<string, string> = {
  "api-key": "API key",
  "core-credential": "core credential",
  "manifest-draft": "manifest draft",
};

/** Reads the names of all references at once. What no longer exists is named by its kind and the start of its id. */
async function nameReferences(db: Db, scope: AuditScope, references: readonly string[]): Promise<Names> {
  const idsByKind = new Map<string, Set<string>>();
  for (const reference of references) {
    const [kind = "", id = ""] = reference.split(":");
    idsByKind.set(kind, (idsByKind.get(kind) ?? new Set()).add(id));
  }
  const names = new Map<string, string>();
  await Promise.all(
    [...idsByKind].map(async ([kind, ids]) => {
      for (const { id, name } of await selectNames(db, scope, kind, [...ids]))
        names.set(`${kind}:${id}`, name);
    }),
  );
  return (reference) => OTHERS[reference] ?? names.get(reference) ?? describe(reference);
}

function describe(reference: string): string {
  const [kind = "", id = ""] = reference.split(":");
  const noun = NOUNS[kind] ?? kind;
  return id === "" ? noun : `${noun} ${id.slice(0, 8)}`;
}

const COLUMNS: readonly Column<AuditView>[] = [
  ["position", (row) => row.position],
  ["at", (row) => row.at],
  ["actor", (row) => row.actor],
  ["actorName", (row) => row.actorName],
  ["action", (row) => row.action],
  ["subject", (row) => row.subject],
  ["subjectName", (row) => row.subjectName],
  ["details", (row) => row.details],
  ["chain", (row) => row.chain],
];

/** A trail as a file, a page at a time. */
export function writeExport(
  pages: AsyncGenerator<AuditView[]>,
  format: ExportFormat,
  zone = UTC,
): AsyncGenerator<string> {
  return writeRows(pages, COLUMNS, format, zone);
}
