/** Every page of the platform, as a user it is for, on the way on which that user gets there. */
import type { Page } from "@playwright/test";
import type { PagePath } from "@/lib/domain/accounts/policy";
import { isDue } from "@/tests/turns.mjs";
import { hydrated, open, signInAs } from "./fixtures";

export const USERS = ["visitor", "customer", "publisher", "moderator"] as const;

type User = (typeof USERS)[number];

/** A path, or `link:<name>` for a link on the page before it, or `./<path>` below the page before it. */
interface Visit {
  user: User;
  go: string;
}

const as = (user: User, ...steps: string[]): Visit[] => steps.map((go) => ({ user, go }));
/** A page that is visited already, as somebody who sees more or less of it. */
const again: typeof as = (user, ...steps) => (isDue("pages as further users") ? as(user, ...steps) : []);

/** A page without a visit is a type error. */
const VISITS: Record<PagePath | "not found", Visit[]> = {
  "/": as("visitor", "/"),
  "/sign-in": as("visitor", "/sign-in"),
  "/sign-up": as("visitor", "/sign-up"),
  "/sign-up/confirm": as("visitor", `/sign-up/confirm#${"A".repeat(43)}`),
  "/forgot-password": as("visitor", "/forgot-password"),
  "/new-password": [
    ...again("visitor", "/new-password#incomplete"),
    ...as("visitor", `/new-password#${"A".repeat(43)}`),
  ],
  "/confirm-email": as("visitor", `/confirm-email#${"A".repeat(43)}`),
  "/account": [...as("customer", "/account"), ...again("moderator", "/account")],
  "/invitations/[token]": as("visitor", `/invitations/${"A".repeat(43)}`),
  "/docs": [...as("visitor", "/docs"), ...again("publisher", "/docs")],
  "/docs/[doc]": as("visitor", "/docs/events", "/docs/manifest", "/docs/api", "/docs/errors", "/docs/cli"),
  "/docs/[doc]/[part]": as(
    "visitor",
    "/docs/api/versions",
    "/docs/api/calls",
    "/docs/errors/manifest",
    "/docs/errors/starting-an-app",
    "/docs/json/emulator",
  ),
  "/docs/search": [...again("visitor", "/docs/search"), ...as("visitor", "/docs/search?q=webhook")],
  "not found": [
    ...as("visitor", "/nothing-here"),
    ...again("customer", `/installations/${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`),
  ],
  "/home": [...as("customer", "/home"), ...again("publisher", "/home"), ...again("moderator", "/home")],
  "/notifications": as("customer", "/notifications"),
  "/account/notifications": [
    ...as("customer", "/account/notifications"),
    ...again("moderator", "/account/notifications"),
  ],
  "/marketplace": [
    ...as("visitor", "/marketplace"),
    ...again("customer", "/marketplace", "/marketplace?category=data"),
  ],
  "/marketplace/[organization]/[app]": [
    ...as("visitor", "/marketplace/acme/vin-autofill"),
    ...again("customer", "/marketplace/acme/vin-autofill"),
  ],
  "/marketplace/[organization]/[app]/report": as("customer", "/marketplace/acme/vin-autofill/report"),
  "/publishers/[slug]": [...as("visitor", "/publishers/acme"), ...again("publisher", "/publishers/acme")],
  "/launch/[organization]/[app]": [
    ...as("customer", "/launch/acme/vin-autofill"),
    ...again("publisher", "/launch/acme/vin-autofill?test=1"),
  ],
  "/tenants": as("customer", "/tenants"),
  "/tenants/[tenantId]": as("customer", "link:Production"),
  "/tenants/new": as("customer", "/tenants/new"),
  "/installations": [
    ...as("customer", "/installations?state=ERROR", "link:Claims intake", "/installations"),
    ...again("publisher", "/installations"),
  ],
  "/installations/[installationId]": as("customer", "link:VIN autofill"),
  "/installations/[installationId]/calls": as("customer", "./calls"),
  "/installations/[installationId]/configuration": as("customer", "./configuration"),
  "/installations/[installationId]/settings": as("customer", "./settings"),
  "/installations/[installationId]/configure": as("customer", "./configure"),
  "/installations/[installationId]/history": [
    ...as("customer", "./history"),
    ...again("customer", "./history?view=secrets"),
  ],
  "/installations/[installationId]/upgrade": as("customer", "./upgrade"),
  "/calls/[attemptId]": as("customer", "./", "link:(GET|POST) /"),
  "/calls": [...as("customer", "/calls"), ...again("publisher", "/calls?source=launches")],
  "/publish": as("publisher", "/publish"),
  "/publish/new": as("publisher", "/publish/new"),
  "/publish/[app]": as("publisher", "/publish/vin-autofill"),
  "/publish/[app]/versions": as("publisher", "/publish/vin-autofill/versions?sort=highest"),
  "/publish/[app]/customers": as("publisher", "/publish/vin-autofill/customers"),
  "/publish/[app]/settings": as("publisher", "/publish/vin-autofill/settings"),
  "/publish/[app]/edit": as("publisher", "/publish/vin-autofill/edit"),
  "/publish/[app]/logs": as("publisher", "/publish/vin-autofill/logs"),
  "/publish/[app]/metrics": as("publisher", "/publish/vin-autofill/metrics"),
  "/publish/[app]/manifest": as("publisher", "/publish/vin-autofill/manifest"),
  "/publish/[app]/reviews/[reviewId]": [
    ...as("publisher", "/publish/vin-autofill/versions"),
    ...as("publisher", "link:Review of version"),
  ],
  "/organization/api-keys": as("publisher", "/organization/api-keys"),
  "/organization/audit": as("customer", "/organization/audit"),
  "/moderation/audit": as("moderator", "/moderation/audit"),
  "/moderation/reports": as("moderator", "/moderation/reports"),
  "/moderation/isolation": as("moderator", "/moderation/isolation"),
  "/moderation/operation": as("moderator", "/moderation/operation"),
  "/moderation/usage": as("moderator", "/moderation/usage"),
  "/organization/members": as("customer", "/organization/members"),
  "/organization/new": as("customer", "/organization/new"),
  "/organization/switch": as("customer", "/organization/switch?to=nothing-here"),
  "/organization/settings": as("customer", "/organization/settings"),
  "/organization/allowed-apps": as("customer", "/organization/allowed-apps"),
  "/installations/requests": as("customer", "/installations/requests"),
  // Other tests leave reviews and listings, newer ones than the demo's.
  "/moderation": as("moderator", "/moderation", "/moderation?state=APPROVED&q=VIN+autofill"),
  "/moderation/[reviewId]": [
    ...as("moderator", "link:VIN autofill"),
    ...again("moderator", "/moderation?q=Photo+estimates", "link:Photo estimates"),
  ],
  "/moderation/listings": as("moderator", "/moderation/listings"),
  "/moderation/listings/[listingId]": [
    ...as("moderator", "/moderation/listings?q=VIN+autofill"),
    ...as("moderator", "link:VIN autofill"),
  ],
  "/sign-out": as("customer", "/sign-out"),
};

const EMAILS: Record<User, string | undefined> = {
  visitor: undefined,
  customer: "harbor@demo.example",
  publisher: "publisher@demo.example",
  moderator: "moderator@demo.example",
};

/** In their order: a link is on the page of the step before it. */
export function listSteps(user: User): string[] {
  return Object.values(VISITS)
    .flat()
    .filter((visit) => visit.user === user)
    .map(({ go }) => go);
}

export async function startVisits(page: Page, webUrl: string, user: User): Promise<void> {
  const email = EMAILS[user];
  if (email !== undefined) await signInAs(page, webUrl, email);
}

/** @returns the page to which the next steps with `./` are relative */
export async function visit(page: Page, webUrl: string, go: string, parent: string): Promise<string> {
  if (go.startsWith("link:")) return follow(page, go.slice(5));
  await open(page, go.startsWith("./") ? `${parent}/${go.slice(2)}` : webUrl + go);
  return parent;
}

/** Resolves with the URL of the page that the link leads to. */
async function follow(page: Page, link: string): Promise<string> {
  await page
    .getByRole("main")
    .getByRole("link", { name: new RegExp(link) })
    .first()
    .click();
  await page.waitForURL(/\/[0-9a-f-]{36}$/);
  await hydrated(page);
  return page.url();
}
