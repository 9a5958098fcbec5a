/** What needs attention on the home page, the worst first. */
import type { InstallationStatus } from "@/lib/contract/insight/health";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "../calls/installation";

interface Installed {
  id: string;
  title: string;
  tenantName: string;
  test: boolean;
}

export interface HomeFacts extends PublishingFacts {
  role: Role;
  installations: readonly (Installed & {
    status: InstallationStatus;
    /** Why it is in its status; undefined while it simply runs. */
    reason: string | undefined;
    since: Date | undefined;
    /** The version it can be upgraded to. */
    upgradeTo: string | null;
  })[];
  /** Installations whose mappings were made for an earlier schema. */
  changedProducts: readonly (Installed & { products: string[]; changedAt: Date })[];
  deadDeliveries: readonly (Installed & { count: number; since: Date })[];
}

const TONES = ["danger", "warning", "accent", "draft"] as const;

export function listAttention(facts: HomeFacts): Attention[] {
  const all = [
    ...facts.installations.flatMap(describeTrouble),
    ...facts.deadDeliveries.map(describeDeliveries),
    ...facts.changedProducts.map(describeProducts),
    ...listPublishing(facts),
    ...facts.installations.flatMap((installation) => describeUpgrade(installation, facts.role)),
  ];
  return all.sort((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

const TROUBLE = {
  ERROR: { tone: "danger", text: "It could not start." },
  DOWN: { tone: "danger", text: "It is down." },
  DEGRADED: { tone: "warning", text: "It is running, but some calls or health checks fail." },
} as const;

function describeTrouble({
  status,
  reason,
  since,
  ...installed
}: HomeFacts["installations"][number]): Attention[] {
  if (status !== "ERROR" && status !== "DOWN" && status !== "DEGRADED") return [];
  const { tone, text } = TROUBLE[status];
  return [{ ...locate(installed), tone, text: reason ?? text, at: since, action: "Open" }];
}

function describeUpgrade(
  { upgradeTo, status, ...installed }: HomeFacts["installations"][number],
  role: Role,
): Attention[] {
  const isSettled = status !== "UNINSTALLING" && status !== "UNINSTALLED";
  if (upgradeTo === null || !isSettled || !mayOperate(role, installed.test)) return [];
  const { href, ...place } = locate(installed);
  const text = `Version ${upgradeTo} is available.`;
  return [{ ...place, tone: "accent", text, at: undefined, href: `${href}/upgrade`, action: "Upgrade" }];
}

function describeDeliveries({ count, since, ...installed }: HomeFacts["deadDeliveries"][number]): Attention {
  const what = count === 1 ? "1 event was" : `${count} events were`;
  const text = `${what} not delivered after all retries.`;
  return { ...locate(installed), tone: "warning", text, at: since, action: "Open" };
}

function describeProducts({
  products,
  changedAt,
  ...installed
}: HomeFacts["changedProducts"][number]): Attention {
  const { href, ...place } = locate(installed);
  const text = `${products.join(", ")} changed in the core since ${products.length === 1 ? "its mapping was" : "their mappings were"} saved.`;
  return {
    ...place,
    tone: "warning",
    text,
    at: changedAt,
    href: `${href}/configure`,
    action: "Check mappings",
  };
}

function locate({ id, title, tenantName, test }: Installed) {
  const context = test ? `Test Launch on ${tenantName}` : tenantName;
  return { title, context, href: `/installations/${id}` };
}

export interface PublishingFacts {
  /** Own listings whose newest review was not approved. */
  returned: readonly {
    appName: string;
    title: string;
    number: string;
    state: "CHANGES_REQUESTED" | "REJECTED";
    note: string;
    decidedAt: Date;
  }[];
  /** Newest versions that were never submitted for review. */
  unsubmitted: readonly { appName: string; title: string; number: string; createdAt: Date }[];
  /** Own drafts of manifests that can't be released, or that differ from the newest version. */
  drafts: readonly {
    appName: string;
    title: string;
    /** 0 for a draft that can be released. */
    errors: number;
    /** The newest version; null before the first. */
    number: string | null;
    updatedAt: Date;
  }[];
  /** How many further drafts there are. A page must not wait until all are checked. */
  uncheckedDrafts: number;
  /** Public listings with changes of their text that were not submitted. */
  texts: readonly { appName: string; title: string; updatedAt: Date }[];
}

function listPublishing(facts: PublishingFacts): Attention[] {
  return [
    ...facts.returned.map(describeReview),
    ...facts.drafts.map(describeDraft),
    ...facts.unsubmitted.map(describeVersion),
    ...facts.texts.map(describeText),
    ...describeUnchecked(facts),
  ];
}

function describeUnchecked({ uncheckedDrafts }: PublishingFacts): Attention[] {
  if (uncheckedDrafts === 0) return [];
  return [
    {
      tone: "draft",
      title: uncheckedDrafts === 1 ? "1 further draft" : `${uncheckedDrafts} further drafts`,
      context: "Manifests",
      text: "Older and very large drafts are not checked on this page.",
      at: undefined,
      href: "/publish",
      action: "Open listings",
    },
  ];
}

function describeReview(returned: PublishingFacts["returned"][number]): Attention {
  const { appName, title, number, state, note, decidedAt } = returned;
  const rejected = state === "REJECTED";
  return {
    tone: rejected ? "danger" : "warning",
    title,
    context: `Version ${number} ${rejected ? "rejected" : "returned for changes"}`,
    text: note,
    at: decidedAt,
    href: `/publish/${appName}`,
    action: "Open listing",
  };
}

function describeDraft(draft: PublishingFacts["drafts"][number]): Attention {
  const { appName, title, errors, number, updatedAt } = draft;
  const problems = errors === 1 ? "1 problem" : `${errors} problems`;
  return {
    tone: errors > 0 ? "warning" : "draft",
    title,
    context: "Manifest draft",
    text:
      errors > 0
        ? `It has ${problems} that must be fixed before a release.`
        : `It has changes since version ${number ?? ""} that haven't been released.`,
    at: updatedAt,
    href: `/publish/${appName}/manifest`,
    action: "Edit manifest",
  };
}

function describeVersion(version: PublishingFacts["unsubmitted"][number]): Attention {
  const { appName, title, number, createdAt } = version;
  return {
    tone: "draft",
    title,
    context: `Version ${number}`,
    text: "It hasn't been submitted for review, so only your organization can launch it.",
    at: createdAt,
    href: `/publish/${appName}`,
    action: "Open listing",
  };
}

function describeText({ appName, title, updatedAt }: PublishingFacts["texts"][number]): Attention {
  return {
    tone: "draft",
    title,
    context: "Listing text",
    text: "It has changes that haven't been submitted for review.",
    at: updatedAt,
    href: `/publish/${appName}/edit`,
    action: "Edit listing",
  };
}

/** Something on the home page that needs attention. */
export interface Attention {
  tone: "danger" | "warning" | "accent" | "draft";
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
