/** The rows of the home page: what needs attention first, then what is used most. Equal errors of an app are one row. */
import type { ListingState } from "@/lib/contract/catalog/listing";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import type { Role } from "@/lib/contract/platform/role";
import { type CallsOfDay, sumCalls } from "../insight/calls-of-day";
import {
  type InstalledFacts,
  type ListingFacts,
  type Note,
  noteInstallation,
  noteListing,
  rankTone,
} from "./attention";

export interface InstalledApp extends InstalledFacts {
  title: string;
  /** `<org-name>/<app-name>`. */
  name: string;
  tenantName: string;
  trial: boolean;
  day: CallsOfDay;
}

export interface InstallationRow {
  /** Of its installations; the first names the row. */
  ids: string[];
  title: string;
  /** The tenant, or how many there are. */
  context: string;
  test: boolean;
  trial: boolean;
  status: InstallationStatus;
  day: CallsOfDay;
  notes: Note[];
  href: string;
  callsHref: string;
}

/** All rows, so that a page can say how many it leaves out. */
export function listInstallationRows(installed: readonly InstalledApp[], role: Role): InstallationRow[] {
  const groups = new Map<string, InstallationRow>();
  for (const app of installed) {
    const row = describeInstallation(app, noteInstallation(app, role));
    const key = isTrouble(row) ? JSON.stringify([app.name, row.status, row.notes[0]?.text]) : app.id;
    const equal = groups.get(key);
    groups.set(key, equal === undefined ? row : join(equal, row, app));
  }
  return [...groups.values()].sort(compareRows);
}

function describeInstallation(app: InstalledApp, notes: Note[]): InstallationRow {
  const { id, title, tenantName, test, trial, status, day } = app;
  const href = `/installations/${id}`;
  return {
    ids: [id],
    title,
    context: tenantName,
    test,
    trial,
    status,
    day,
    notes,
    href,
    callsHref: `${href}/calls?last=24h`,
  };
}

function isTrouble({ notes: [worst] }: InstallationRow): boolean {
  return worst?.tone === "danger" || worst?.tone === "warning";
}

/** The other notes of each are on its own page. */
function join(row: InstallationRow, other: InstallationRow, { name, status }: InstalledApp): InstallationRow {
  const ids = [...row.ids, ...other.ids];
  const [, appName = name] = name.split("/");
  const href = `/installations?${new URLSearchParams({ q: appName, state: status })}`;
  return {
    ...row,
    ids,
    context: `${ids.length} tenants`,
    test: row.test && other.test,
    trial: row.trial && other.trial,
    day: sumCalls([row.day, other.day]),
    notes: row.notes.slice(0, 1).map((note) => ({ ...note, href, action: "Open all" })),
    href,
    callsHref: `/calls?${new URLSearchParams({ app: name, last: "24h" })}`,
  };
}

export interface OwnApp extends ListingFacts {
  title: string;
  /** The number of the newest verified version. */
  verified: string | null;
  /** Other organizations that use it. */
  customers: number;
  /** Without calls of the own organization. */
  day: CallsOfDay;
}

export interface ListingRow {
  appName: string;
  title: string;
  state: ListingState;
  /** The verified version, or the newest one if none is verified. */
  version: string | null;
  customers: number;
  day: CallsOfDay;
  /** The review that waits for a moderator. */
  waiting: { id: string; number: string } | undefined;
  notes: Note[];
}

export function listListingRows(listings: readonly OwnApp[]): ListingRow[] {
  return listings.map(describeListing).sort(compareRows);
}

export function describeListing(listing: OwnApp): ListingRow {
  const { appName, title, state, verified, newest, customers, day, review } = listing;
  return {
    appName,
    title,
    state,
    version: verified ?? newest?.number ?? null,
    customers,
    day,
    waiting: review?.state === "PENDING" ? { id: review.id, number: review.number } : undefined,
    notes: noteListing(listing),
  };
}

type Ranked = Pick<InstallationRow, "notes" | "day">;

/** Errors and warnings, then calls that failed, then what can be done, then what is used. */
function compareRows(one: Ranked, other: Ranked): number {
  return rank(one) - rank(other) || other.day.failed - one.day.failed || other.day.calls - one.day.calls;
}

function rank({ notes: [worst], day }: Ranked): number {
  const tone = rankTone(worst?.tone);
  const failed = rankTone("accent") - 0.5;
  return day.failed > 0 ? Math.min(tone, failed) : tone;
}
