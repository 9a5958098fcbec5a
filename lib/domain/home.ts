/** What the home page shows: what needs attention, the worst first, and the next step of a new organization. */
import type { InstallationStatus } from "@/lib/contract/health";
import type { Role } from "@/lib/contract/organization";
import { mayOperate } from "./installation";

interface Installed {
  id: string;
  title: string;
  tenantName: string;
  test: boolean;
}

export interface HomeFacts {
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
  /** Own listings whose newest review was not approved. */
  returned: readonly {
    appName: string;
    title: string;
    number: string;
    state: "CHANGES_REQUESTED" | "REJECTED";
    note: string;
    decidedAt: Date;
  }[];
  /** Own drafts of manifests that can't be released. */
  brokenDrafts: readonly { appName: string; title: string; errors: number; updatedAt: Date }[];
}

export interface Attention {
  tone: "danger" | "warning" | "accent";
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

const TONES = ["danger", "warning", "accent"] as const;

export function listAttention(facts: HomeFacts): Attention[] {
  const all = [
    ...facts.installations.flatMap(describeTrouble),
    ...facts.returned.map(describeReview),
    ...facts.deadDeliveries.map(describeDeliveries),
    ...facts.changedProducts.map(describeProducts),
    ...facts.brokenDrafts.map(describeDraft),
    ...facts.installations.flatMap((installation) => describeUpgrade(installation, facts.role)),
  ];
  return all.sort((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

const TROUBLE = {
  ERROR: { tone: "danger", text: "It could not start." },
  DOWN: { tone: "danger", text: "It is down." },
  DEGRADED: { tone: "warning", text: "It runs, but not without failures." },
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

function describeReview({
  appName,
  title,
  number,
  state,
  note,
  decidedAt,
}: HomeFacts["returned"][number]): Attention {
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

function describeDraft({ appName, title, errors, updatedAt }: HomeFacts["brokenDrafts"][number]): Attention {
  return {
    tone: "warning",
    title,
    context: "Draft of the manifest",
    text: `It has ${errors === 1 ? "1 problem" : `${errors} problems`} that must be fixed before a release.`,
    at: updatedAt,
    href: `/publish/${appName}/manifest`,
    action: "Edit manifest",
  };
}

function locate({ id, title, tenantName, test }: Installed) {
  const context = test ? `Test Launch on ${tenantName}` : tenantName;
  return { title, context, href: `/installations/${id}` };
}

/** How far an organization has come. */
export interface Progress {
  /** The newest listing's app name. */
  appName: string | null;
  listings: number;
  publicListings: number;
  versions: number;
  testLaunches: number;
  submissions: number;
  /** Without the sandbox. */
  tenants: number;
  /** Without Test Launches, with uninstalled ones. */
  launches: number;
}

export interface Step {
  title: string;
  text: string;
  done: boolean;
  href: string;
  action: string;
}

export interface Track {
  title: string;
  steps: Step[];
}

/**
 * The steps from a new organization to a published app, and to a launched one, as far as the role may take them. A track is
 * shown until it is complete, but not to an organization that completed the other one and never began this one.
 */
export function listTracks(role: Role, organizationSlug: string, progress: Progress): Track[] {
  const publishing = role === "operator" ? undefined : publishingTrack(organizationSlug, progress);
  const using = role === "publisher" ? undefined : usingTrack(role, progress);
  const tracks = [using, publishing].filter((track) => track !== undefined);
  const isComplete = ({ steps }: Track) => steps.every(({ done }) => done);
  const isBegun = ({ steps }: Track) => steps.some(({ done }) => done);
  return tracks.filter((track) => !isComplete(track) && (isBegun(track) || !tracks.some(isComplete)));
}

function publishingTrack(organizationSlug: string, progress: Progress): Track {
  const listing = `/publish/${progress.appName ?? ""}`;
  return {
    title: "Publish an app",
    steps: [
      {
        title: "Create a listing",
        text: "It describes your app in the marketplace. Only your organization sees the draft.",
        done: progress.listings > 0,
        href: "/publish/new",
        action: "New listing",
      },
      {
        title: "Publish a version",
        text: "Design the manifest, then publish your image with the command line.",
        done: progress.versions > 0,
        href: listing,
        action: "Open listing",
      },
      {
        title: "Try it with a Test Launch",
        text: "It runs only for your organization, on a sandbox or a tenant of yours.",
        done: progress.testLaunches > 0,
        href: `/launch/${organizationSlug}/${progress.appName ?? ""}?test=1`,
        action: "Test Launch",
      },
      {
        title: "Submit it for review",
        text: "A moderator verifies the version. Then every organization can launch it.",
        done: progress.submissions > 0,
        href: listing,
        action: "Open listing",
      },
    ],
  };
}

function usingTrack(role: Role, progress: Progress): Track {
  const isOwner = role === "owner";
  return {
    title: "Use an app",
    steps: [
      {
        title: "Connect a tenant",
        text: isOwner
          ? "The platform imports your policy system's products, which apps are configured for."
          : "Ask an owner of your organization to connect a tenant of your policy system.",
        done: progress.tenants > 0,
        href: isOwner ? "/tenants/new" : "/tenants",
        action: isOwner ? "Connect a tenant" : "View tenants",
      },
      {
        title: "Launch an app",
        text: "Choose a verified app and configure it. It runs within seconds.",
        done: progress.launches > 0,
        href: "/marketplace",
        action: "Browse the marketplace",
      },
    ],
  };
}
