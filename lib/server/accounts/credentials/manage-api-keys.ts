import { randomBytes } from "node:crypto";
import { type ApiKeyInput, overlapSeconds, type RotateApiKeyInput } from "@/lib/contract/accounts/api-key";
import { API_KEY_SCOPES } from "@/lib/contract/accounts/api-key-scope";
import type { ExportFormat } from "@/lib/contract/platform/audit-view";
import { Problem } from "@/lib/contract/platform/problem";
import { apiKeyState } from "@/lib/domain/accounts/organization";
import type { Member } from "@/lib/domain/platform/actor";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";
import type { Db } from "../../platform/database/connect";
import { searchText } from "../../platform/database/expressions";
import { byCursor, findSort, readAll, readPage } from "../../platform/database/paging";
import { notify } from "../../platform/notifications/notify";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { type Column, writeRows } from "../../platform/write-rows";
import {
  API_KEY_SORTS,
  claimExpiringKeys,
  countApiKeys,
  insertApiKey,
  replaceApiKeyRow,
  revokeApiKeyRow,
  selectApiKeys,
} from "./api-key-queries";
import { hashApiKey } from "./authenticate-api-key";

const DAY_MS = 24 * 60 * 60_000;

interface NewApiKey {
  apiKeyId: string;
  name: string;
  clientId: string;
  /** Shown only this once; the database stores its hash. */
  apiKey: string;
}

/** Creates a key for the member's organization. By default it may do everything, until it is revoked. */
export async function createApiKey(
  platform: Platform,
  member: Member,
  name: string,
  { scopes = [...API_KEY_SCOPES], days = 0 }: Partial<Omit<ApiKeyInput, "name">> = {},
): Promise<NewApiKey> {
  return platform.db.transaction(async (tx) => {
    const created = await storeApiKey(tx, member, { name, scopes, days });
    await recordAudit(tx, platform.keyring, {
      chain: member.organization.id,
      actor: `user:${member.userId}`,
      action: "api-key.create",
      subject: `api-key:${created.apiKeyId}`,
      details: { name, clientId: created.clientId, scopes, days },
    });
    return created;
  });
}

/**
 * Creates a key with the same name and scopes. The old one works until the overlap ends. NOT_FOUND if the key is foreign,
 * missing, revoked or expired.
 */
export async function rotateApiKey(
  platform: Platform,
  member: Member,
  apiKeyId: string,
  { overlap, days }: RotateApiKeyInput,
): Promise<NewApiKey> {
  const organizationId = member.organization.id;
  return platform.db.transaction(async (tx) => {
    const old = await replaceApiKeyRow(tx, organizationId, apiKeyId, overlapSeconds(overlap));
    if (old === undefined) throw noSuchKey();
    const created = await storeApiKey(tx, member, { ...old, days });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.rotate",
      subject: `api-key:${apiKeyId}`,
      details: { by: created.apiKeyId, clientId: created.clientId, overlap, days },
    });
    return created;
  });
}

async function storeApiKey(
  tx: Db,
  { userId, organization }: Member,
  { name, scopes, days }: ApiKeyInput,
): Promise<NewApiKey> {
  const clientId = `pci_${randomBytes(12).toString("base64url")}`;
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  const apiKeyId = await insertApiKey(tx, {
    organizationId: organization.id,
    name,
    scopes,
    clientId,
    keyHash: hashApiKey(apiKey),
    createdBy: userId,
    expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY_MS),
  });
  return { apiKeyId, name, clientId, apiKey };
}

function noSuchKey(): Problem {
  return new Problem("NOT_FOUND", "Your organization has no active API key with this id. Reload the list.");
}

/** Takes effect at once. NOT_FOUND if the key is foreign, missing or already revoked. */
export async function revokeApiKey(platform: Platform, member: Member, apiKeyId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await revokeApiKeyRow(tx, organizationId, apiKeyId))) throw noSuchKey();
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.revoke",
      subject: `api-key:${apiKeyId}`,
    });
  });
}

const PAGE = 20;
const EXPORT_PAGE = 500;

/** From the URL. What is unknown counts as absent. */
export interface ApiKeyQuery {
  search?: string;
  /** `ended`: keys that expired or were revoked, instead of those that work. */
  state?: string;
  sort?: string;
  after?: string;
}

/** The organization's keys, without hashes. The counts are those of the search, whatever the state. */
export async function listApiKeys({ db }: Platform, { organization }: Member, query: ApiKeyQuery) {
  const { filter, sort, sorting } = readQuery(query);
  const [{ rows, ...pages }, counts] = await Promise.all([
    readPage(query.after, PAGE, byCursor(sorting), (position, limit) =>
      selectApiKeys(db, organization.id, filter, sorting, { position, limit }),
    ),
    countApiKeys(db, organization.id, filter.search),
  ]);
  const now = Date.now();
  const apiKeys = rows.map(({ cursor: _cursor, ...row }) => ({ ...row, state: apiKeyState(row, now) }));
  return { apiKeys, ended: filter.ended, sort, counts, ...pages };
}

function readQuery({ search, state, sort: named }: ApiKeyQuery) {
  const sort = findSort(API_KEY_SORTS, named);
  return {
    filter: { search: searchText(search), ended: state === "ended" },
    sort,
    sorting: API_KEY_SORTS[sort],
  };
}

type KeyRow = Awaited<ReturnType<typeof selectApiKeys>>[number];

const COLUMNS: readonly Column<KeyRow>[] = [
  ["id", (key) => key.id],
  ["name", (key) => key.name],
  ["clientId", (key) => key.clientId],
  ["scopes", (key) => key.scopes],
  ["createdBy", (key) => key.createdBy],
  ["createdAt", (key) => key.createdAt],
  ["lastUsedAt", (key) => key.lastUsedAt],
  ["lastUsedFrom", (key) => key.lastUsedFrom],
  ["expiresAt", (key) => key.expiresAt],
  ["revokedAt", (key) => key.revokedAt],
];

/** The keys that a list shows, as a file without hashes. */
export function exportApiKeys(
  { db }: Platform,
  { organization }: Member,
  query: ApiKeyQuery,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { filter, sorting } = readQuery(query);
  const pages = readAll(byCursor(sorting), EXPORT_PAGE, (position, limit) =>
    selectApiKeys(db, organization.id, filter, sorting, { position, limit }),
  );
  return writeRows(pages, COLUMNS, format);
}

/** How long before. */
const DAYS = 7;
const BATCH = 100;

/** Notifies organizations of API keys that expire within a week: once for each key, whichever worker runs it. */
export async function tellExpiringKeys(platform: Platform): Promise<number> {
  const told = await platform.db.transaction(async (tx) => {
    const keys = await claimExpiringKeys(tx, DAYS, BATCH);
    for (const { id, name, organizationId, expiresAt } of keys)
      await notify(tx, {
        kind: "api-key",
        to: { organizationId, roles: ["owner", "publisher"] },
        title: (zone) => `The API key “${name}” expires on ${describeDay(expiresAt, zone)}`,
        body: "Rotate it before then, and replace it wherever it is used.",
        href: "/organization/api-keys",
        subject: `api-key:${id}`,
      });
    return keys.length;
  });
  return told < BATCH ? told : told + (await tellExpiringKeys(platform));
}

/** `March 1 (Europe/Zurich, UTC+1)`: a key may expire on another day elsewhere. */
function describeDay(at: Date | null, zone: string): string {
  return at === null ? "" : `${writeTime(at, "monthDay", zone)} (${nameZone(zone, at)})`;
}
