/** What needs attention on the home page: of each installation and each listing, the worst first. */
import type { ListingState, ReviewState } from "@/lib/contract/catalog/listing";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "../calls/installation";

const TONES = ["danger", "warning", "accent", "draft"] as const;
type Tone = (typeof TONES)[number];

/** Something that needs attention: on the home page, and on the page of the platform's operation. */
export interface Attention {
  tone: Tone;
  /** The app. */
  title: string;
  /** What it is about, such as the tenant. */
  context: string;
  text: string;
  at: Date | undefined;
  href: string;
  /** What to do there. */
  action: string;
}

/** The same in a row that names the app. */
export type Note = Omit<Attention, "title" | "context">;

export interface InstalledFacts {
  id: string;
  status: InstallationStatus;
  /** Why it is in its status; undefined while it simply runs. */
  reason: string | undefined;
  since: Date | undefined;
  /** The version it can be upgraded to. */
  upgradeTo: string | null;
  test: boolean;
  /** Events that were not delivered lately, after all retries. */
  dead: { count: number; since: Date } | undefined;
  /** Products whose mappings were made for an earlier schema. */
  changed: { products: readonly string[]; changedAt: Date } | undefined;
}

export function noteInstallation(facts: InstalledFacts, role: Role): Note[] {
  return sortNotes([
    ...noteTrouble(facts),
    ...noteDeliveries(facts),
    ...noteProducts(facts),
    ...noteUpgrade(facts, role),
  ]);
}

function sortNotes(notes: Note[]): Note[] {
  return notes.sort((one, other) => rankTone(one.tone) - rankTone(other.tone));
}

/** 0 for the worst; after all others for what needs no attention. */
export function rankTone(tone: Tone | undefined): number {
  return tone === undefined ? TONES.length : TONES.indexOf(tone);
}

const TROUBLE = {
  ERROR: { tone: "danger", text: "It could not start." },
  DOWN: { tone: "danger", text: "It is down." },
  DEGRADED: { tone: "warning", text: "It is running, but some calls or health checks fail." },
} as const;

function noteTrouble({ id, status, reason, since }: InstalledFacts): Note[] {
  if (status !== "ERROR" && status !== "DOWN" && status !== "DEGRADED") return [];
  const { tone, text } = TROUBLE[status];
  return [{ tone, text: reason ?? text, at: since, href: `/installations/${id}`, action: "Open" }];
}

function noteDeliveries({ id, dead }: InstalledFacts): Note[] {
  if (dead === undefined) return [];
  const what = dead.count === 1 ? "1 event was" : `${dead.count} events were`;
  const text = `${what} not delivered after all retries.`;
  const href = `/installations/${id}/calls?state=dead`;
  return [{ tone: "warning", text, at: dead.since, href, action: "Open" }];
}

function noteProducts({ id, changed }: InstalledFacts): Note[] {
  if (changed === undefined) return [];
  const { products, changedAt } = changed;
  const text = `${products.join(", ")} changed in the core since ${products.length === 1 ? "its mapping was" : "their mappings were"} saved.`;
  const href = `/installations/${id}/configure`;
  return [{ tone: "warning", text, at: changedAt, href, action: "Check mappings" }];
}

function noteUpgrade({ id, upgradeTo, status, test }: InstalledFacts, role: Role): Note[] {
  const isSettled = status !== "UNINSTALLING" && status !== "UNINSTALLED";
  if (upgradeTo === null || !isSettled || !mayOperate(role, test)) return [];
  const text = `Version ${upgradeTo} is available.`;
  return [{ tone: "accent", text, at: undefined, href: `/installations/${id}/upgrade`, action: "Upgrade" }];
}

export interface ListingFacts {
  appName: string;
  state: ListingState;
  /** Null before the first. `isSubmitted`: it was ever submitted for review, and not withdrawn. */
  newest: { number: string; createdAt: Date; isVerified: boolean; isSubmitted: boolean } | null;
  /** The newest review of a version. */
  review: { id: string; state: ReviewState; note: string; number: string; decidedAt: Date | null } | null;
  /** The draft of its manifest, if that can't be released or differs from the newest version. 0 errors: it can be released. */
  draft: { errors: number; updatedAt: Date } | undefined;
  /** The version that failed and doesn't run, although most customers' installations need it: how many they are, and since when. */
  broken: { number: string; installations: number; at: Date } | null;
  /** When its public text was last changed without being submitted. */
  textChangedAt: Date | undefined;
}

/** A retired listing is over: nothing is left to do. */
export function noteListing(facts: ListingFacts): Note[] {
  if (facts.state === "RETIRED") return [];
  return sortNotes([
    ...noteSuspension(facts),
    ...noteBroken(facts),
    ...noteReview(facts),
    ...noteDraft(facts),
    ...noteVersion(facts),
    ...noteText(facts),
  ]);
}

type Unreleased = Pick<ListingFacts, "appName" | "draft" | "textChangedAt"> & {
  newest: { number: string } | null;
};

/** What was edited and nobody else sees yet. */
export function noteUnreleased(facts: Unreleased): Note[] {
  return [...noteDraft(facts), ...noteText(facts)];
}

function noteSuspension({ appName, state }: ListingFacts): Note[] {
  if (state !== "SUSPENDED") return [];
  const text = "A moderator suspended it. Nobody can launch it.";
  return [{ tone: "danger", text, at: undefined, href: `/publish/${appName}`, action: "See why" }];
}

function noteBroken({ appName, broken }: ListingFacts): Note[] {
  if (broken === null) return [];
  const { number, installations, at } = broken;
  const needed =
    installations === 1
      ? "1 installation of a customer needs"
      : `${installations} installations of customers need`;
  const text = `Version ${number} failed and isn't running. ${needed} it.`;
  return [{ tone: "danger", text, at, href: `/publish/${appName}`, action: "Find the cause" }];
}

function noteReview({ appName, review }: ListingFacts): Note[] {
  if (review === null || review.decidedAt === null) return [];
  const { id, state, note, number, decidedAt } = review;
  if (state !== "CHANGES_REQUESTED" && state !== "REJECTED") return [];
  const isRejected = state === "REJECTED";
  return [
    {
      tone: isRejected ? "danger" : "warning",
      text: `Version ${number} was ${isRejected ? "rejected" : "returned for changes"}: ${note}`,
      at: decidedAt,
      href: `/publish/${appName}/reviews/${id}`,
      action: "Open the review",
    },
  ];
}

function noteDraft({ appName, draft, newest }: Unreleased): Note[] {
  if (draft === undefined) return [];
  const { errors, updatedAt } = draft;
  const problems = errors === 1 ? "1 problem" : `${errors} problems`;
  return [
    {
      tone: errors > 0 ? "warning" : "draft",
      text:
        errors > 0
          ? `The draft of its manifest has ${problems} to fix before a release.`
          : `The draft of its manifest has changes since version ${newest?.number ?? ""}.`,
      at: updatedAt,
      href: `/publish/${appName}/manifest`,
      action: "Edit manifest",
    },
  ];
}

function noteVersion({ appName, newest }: ListingFacts): Note[] {
  if (newest === null || newest.isVerified || newest.isSubmitted) return [];
  const { number, createdAt } = newest;
  const text = `Version ${number} hasn't been submitted for review, so only your organization can launch it.`;
  return [
    { tone: "draft", text, at: createdAt, href: `/publish/${appName}/versions`, action: "Open versions" },
  ];
}

function noteText({ appName, textChangedAt }: Unreleased): Note[] {
  if (textChangedAt === undefined) return [];
  const text = "Its text has changes that haven't been submitted for review.";
  return [
    { tone: "draft", text, at: textChangedAt, href: `/publish/${appName}/edit`, action: "Edit listing" },
  ];
}
