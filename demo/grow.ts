import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { changeProfile, readProfile } from "@/lib/server/accounts/organization";
import { signOut } from "@/lib/server/accounts/sessions";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import type { Platform } from "@/lib/server/platform/platform";
import { HARBOR, HARBOR_TENANT, NORTHWIND, PUBLISHER, set } from "./accounts";
import { addHistory } from "./add-history";
import { PICTURED_APPS } from "./apps";
import { CATALOG, PHOTO_ESTIMATES } from "./catalog";
import {
  beginDraft,
  type CatalogSource,
  offerCatalogApp,
  releaseUpgrade,
  showPictures,
  submitNewest,
  verifyNewest,
} from "./offer-apps";
import { hasInstallation, selectDemoTenant, selectListing } from "./queries";
import { signInMember, signInModerator } from "./sign-in";

export interface Growth extends CatalogSource {
  report: (message: string) => void;
  /** Ends it after the current step. */
  signal: AbortSignal;
}

/** Between steps, so that visitors' requests are not kept waiting. */
const PAUSE_MS = 50;

/**
 * Makes the running demo look like a product in use: more publishers and apps, pictures, a week of calls, an upgrade,
 * an app in error, and a review that waits. Everything but the calls is done by the functions that serve users'
 * requests. What is there stays as it is, so a later start continues where this one ended. False if it was ended by its
 * signal.
 */
export async function growDemo(platform: Platform, growth: Growth): Promise<boolean> {
  const moderator = await signInModerator(platform);
  const members = new Map<string, Member>();
  try {
    for (const account of [HARBOR, ...CATALOG.map((publisher) => publisher.account)])
      members.set(account.slug, await signInMember(platform, account));
    for (const step of listSteps(platform, members, moderator, growth)) {
      if (growth.signal.aborted) return false;
      await step().catch((error: unknown) => reportRefusal(error, growth));
      await sleep(PAUSE_MS);
    }
    return true;
  } finally {
    for (const { sessionId } of [moderator, ...members.values()]) await signOut(platform, sessionId);
  }
}

function listSteps(
  platform: Platform,
  members: ReadonlyMap<string, Member>,
  moderator: Actor,
  growth: Growth,
): (() => Promise<void>)[] {
  const find = ({ slug }: { slug: string }) => {
    const member = members.get(slug);
    if (member === undefined) throw new Error(`nobody of ${slug} is signed in`);
    return member;
  };
  const [acme, northwind] = [find(PUBLISHER), find(NORTHWIND)];
  const { company = "" } = CATALOG.find(({ account }) => account === NORTHWIND) ?? {};
  return [
    // First, because the page of a publisher is a click away from the first listings.
    ...CATALOG.map(
      ({ account, description }) =>
        () =>
          describePublisher(platform, find(account), description),
    ),
    () => addHistory(platform, growth.signal),
    ...PICTURED_APPS.map((app) => () => showPictures(platform, acme, moderator, app, growth.picturesFolder)),
    ...CATALOG.flatMap(({ account, company, apps }) =>
      apps.map((app) => async () => {
        await offerCatalogApp(platform, find(account), app, company, growth);
        const { appName, releaseNotes } = app;
        await verifyNewest(platform, find(account), moderator, appName, { releaseNotes });
      }),
    ),
    () => releaseUpgrade(platform, acme, moderator),
    () => beginDraft(platform, acme),
    () => launchFailing(platform, find(HARBOR), acme),
    async () => {
      await offerCatalogApp(platform, northwind, PHOTO_ESTIMATES, company, growth);
      const { appName, releaseNotes, submissionNote } = PHOTO_ESTIMATES;
      await submitNewest(platform, northwind, appName, { releaseNotes, note: submissionNote });
    },
  ];
}

const PROFILE_FIELDS = ["description", "website", "supportAddress"] as const;

/** Fills in what its public page lacks. */
async function describePublisher(platform: Platform, member: Member, description: string): Promise<void> {
  const profile = await readProfile(platform, member);
  const domain = `${member.organization.slug}.example`;
  const described = {
    ...profile,
    description: profile.description || description,
    website: profile.website || `https://${domain}`,
    supportAddress: profile.supportAddress || `support@${domain}`,
  };
  if (PROFILE_FIELDS.some((field) => described[field] !== profile[field]))
    await changeProfile(platform, member, described);
}

/** An app whose image lacks a file: its installation shows the error and the log. */
async function launchFailing(platform: Platform, customer: Member, publisher: Member): Promise<void> {
  const listing = await selectListing(platform.db, publisher.organization.id, "claims-intake");
  const tenant = await selectDemoTenant(platform.db, customer.organization.slug, HARBOR_TENANT.hostName);
  if (listing === undefined || listing.versionId === null || tenant === undefined) return;
  if (await hasInstallation(platform.db, tenant.id, listing.id)) return;
  await launchInstallation(platform, customer, {
    versionId: listing.versionId,
    tenantId: tenant.id,
    test: false,
    openEndpoints: true,
    settings: set({ deskEmail: "claims@harbor-mutual.example" }),
    mappings: { "Personal Auto": {} },
  });
}

/** A visitor may already have changed what a step would change. Then the step is skipped. */
function reportRefusal(error: unknown, { report }: Growth): void {
  if (!(error instanceof Problem)) throw error;
  report(`A part of the demo was left out: ${error.detail}`);
}
