/**
 * How much JavaScript each page loads, gzipped, next to an empty page that the same Next builds. Counted: every script file
 * that Chromium fetches from the first byte until the network is idle, prefetched ones included, without hover or clicks.
 * Inline scripts belong to the HTML and are not counted.
 */
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Response } from "@playwright/test";
import { signInAs } from "@/e2e/fixtures";
import { queryDatabase, type RunningPlatform } from "@/e2e/start-platform";
import type { PagePath } from "@/lib/domain/accounts/policy";

type Visit = readonly [email: string | undefined, address: string];

const HARBOR = "harbor@demo.example";
const PUBLISHER = "publisher@demo.example";
const MODERATOR = "moderator@demo.example";

/** What visitors read. */
const PUBLIC = {
  "/": [undefined, "/"],
  "/marketplace": [undefined, "/marketplace?q=vin&connects=autofill"],
  "/marketplace/[organization]/[app]": [undefined, "/marketplace/acme/vin-autofill"],
  "/publishers/[slug]": [undefined, "/publishers/acme"],
  "/docs": [undefined, "/docs"],
  "/docs/[doc]": [undefined, "/docs/manifest"],
  "/docs/[doc]/[part]": [undefined, "/docs/errors/manifest"],
  "/docs/search": [undefined, "/docs/search?q=webhook"],
} as const satisfies Partial<Record<PagePath, Visit>>;

const EDITOR = {
  "/publish/[app]/manifest": [PUBLISHER, "/publish/vin-autofill/manifest"],
} as const satisfies Partial<Record<PagePath, Visit>>;

/** The editor when it opens with its JSON tab, in addition to what its design tab loads. */
const JSON_TAB: Visit = [PUBLISHER, "/publish/vin-autofill/manifest?tab=json"];

/** Undefined: the demo has nothing to open it with. */
const OTHERS: Record<Exclude<PagePath, keyof typeof PUBLIC | keyof typeof EDITOR>, Visit | undefined> = {
  "/sign-in": [undefined, "/sign-in"],
  "/sign-up": [undefined, "/sign-up"],
  "/sign-up/confirm": [undefined, "/sign-up/confirm"],
  "/sign-out": [HARBOR, "/sign-out"],
  "/forgot-password": [undefined, "/forgot-password"],
  "/new-password": [undefined, "/new-password"],
  "/confirm-email": [undefined, "/confirm-email"],
  "/account": [HARBOR, "/account"],
  "/invitations/[token]": undefined,
  "/home": [HARBOR, "/home"],
  "/organization/new": [HARBOR, "/organization/new"],
  "/organization/switch": undefined,
  "/notifications": [HARBOR, "/notifications"],
  "/account/notifications": [HARBOR, "/account/notifications"],
  "/publish": [PUBLISHER, "/publish"],
  "/publish/new": [PUBLISHER, "/publish/new"],
  "/publish/[app]": [PUBLISHER, "/publish/vin-autofill"],
  "/publish/[app]/customers": [PUBLISHER, "/publish/vin-autofill/customers"],
  "/publish/[app]/edit": [PUBLISHER, "/publish/vin-autofill/edit"],
  "/publish/[app]/logs": [PUBLISHER, "/publish/vin-autofill/logs"],
  "/publish/[app]/metrics": [PUBLISHER, "/publish/vin-autofill/metrics"],
  "/publish/[app]/settings": [PUBLISHER, "/publish/vin-autofill/settings"],
  "/publish/[app]/versions": [PUBLISHER, "/publish/vin-autofill/versions"],
  "/publish/[app]/reviews/[reviewId]": [PUBLISHER, "/publish/vin-autofill/reviews/<review>"],
  "/moderation": [MODERATOR, "/moderation"],
  "/moderation/[reviewId]": [MODERATOR, "/moderation/<review>"],
  "/moderation/listings": [MODERATOR, "/moderation/listings"],
  "/moderation/listings/[listingId]": [MODERATOR, "/moderation/listings/<listing>"],
  "/tenants": [HARBOR, "/tenants"],
  "/tenants/new": [HARBOR, "/tenants/new"],
  "/tenants/[tenantId]": [HARBOR, "/tenants/<tenant>"],
  "/launch/[organization]/[app]": [HARBOR, "/launch/acme/vin-autofill"],
  "/installations": [HARBOR, "/installations"],
  "/installations/requests": [HARBOR, "/installations/requests"],
  "/installations/[installationId]": [HARBOR, "/installations/<installation>"],
  "/installations/[installationId]/calls": [HARBOR, "/installations/<installation>/calls"],
  "/installations/[installationId]/configuration": [HARBOR, "/installations/<installation>/configuration"],
  "/installations/[installationId]/settings": [HARBOR, "/installations/<installation>/settings"],
  "/installations/[installationId]/configure": [HARBOR, "/installations/<installation>/configure"],
  "/installations/[installationId]/history": [HARBOR, "/installations/<installation>/history"],
  "/installations/[installationId]/upgrade": [HARBOR, "/installations/<installation>/upgrade"],
  "/calls/[attemptId]": [HARBOR, "/calls/<attempt>"],
  "/calls": [HARBOR, "/calls"],
  "/organization/api-keys": [PUBLISHER, "/organization/api-keys"],
  "/organization/members": [HARBOR, "/organization/members"],
  "/organization/settings": [HARBOR, "/organization/settings"],
  "/organization/allowed-apps": [HARBOR, "/organization/allowed-apps"],
  "/organization/audit": [HARBOR, "/organization/audit"],
  "/marketplace/[organization]/[app]/report": [HARBOR, "/marketplace/acme/vin-autofill/report"],
  "/moderation/audit": [MODERATOR, "/moderation/audit"],
  "/moderation/reports": [MODERATOR, "/moderation/reports"],
  "/moderation/isolation": [MODERATOR, "/moderation/isolation"],
  "/moderation/operation": [MODERATOR, "/moderation/operation"],
  "/moderation/usage": [MODERATOR, "/moderation/usage"],
};

const PAGES = { ...PUBLIC, ...EDITOR, ...OTHERS } satisfies Record<PagePath, Visit | undefined>;

/** One object of each kind, of the demo. */
const OBJECTS = `
  select i.id as installation, i.tenant_id as tenant, l.id as listing,
    (select r.id from reviews r where r.listing_id = l.id and r.state = 'APPROVED' order by r.id limit 1) as review,
    (select a.id from attempts a where a.installation_id = i.id order by a.id limit 1) as attempt
  from installations i join organizations o on o.id = i.organization_id
  join versions v on v.id = i.version_id join listings l on l.id = v.listing_id
  where o.slug = 'harbor-mutual' and l.app_name = 'vin-autofill' order by i.id limit 1`;

interface Weights {
  /** Of the heaviest page, in bytes. */
  public: number;
  editor: number;
  jsonTab: number;
  others: number;
}

/** Prints the weight of every page, or of the editor only, beyond `empty` bytes. */
export async function weighPages(
  browser: Browser,
  platform: RunningPlatform,
  empty: number,
  isEditorOnly: boolean,
): Promise<Weights> {
  const [objects = {}] = await queryDatabase(platform, OBJECTS);
  const sessions = new Map<string | undefined, Awaited<ReturnType<BrowserContext["storageState"]>>>();
  for (const email of [HARBOR, PUBLISHER, MODERATOR]) {
    const context = await browser.newContext();
    await signInAs(await context.newPage(), platform.webUrl, email);
    sessions.set(email, await context.storageState());
    await context.close();
  }
  const heaviest = { public: 0, editor: 0, jsonTab: 0, others: 0 };
  const pages: [string, Visit | undefined][] = Object.entries(isEditorOnly ? EDITOR : PAGES);
  for (const [path, visit] of [...pages, ["JSON tab", JSON_TAB] as const]) {
    if (visit === undefined) continue;
    const [email, pattern] = visit;
    const address = pattern.replace(/<(\w+)>/, (_match, kind: string) => objects[kind] ?? `no-${kind}`);
    // A context of its own: nothing is in its cache.
    const context = await browser.newContext({ storageState: sessions.get(email) });
    const bytes = await weigh(
      context,
      platform.webUrl + address,
      visit === JSON_TAB ? ".cm-content" : undefined,
    );
    console.log(
      `${path.padEnd(46)} ${kb(bytes).padStart(6)} kB, ${kb(bytes - empty)} kB over the empty page`,
    );
    const kind =
      visit === JSON_TAB ? "jsonTab" : path in PUBLIC ? "public" : path in EDITOR ? "editor" : "others";
    heaviest[kind] = Math.max(heaviest[kind], bytes);
  }
  return heaviest;
}

/** Gzipped bytes of the scripts that one load of a page fetches, until `last` is shown. */
export async function weigh(context: BrowserContext, url: string, last = "body"): Promise<number> {
  const page = await context.newPage();
  const scripts = new Map<string, Promise<number>>();
  const weighScript = (response: Response) => {
    if (!(response.headers()["content-type"] ?? "").includes("javascript")) return;
    scripts.set(
      response.url(),
      response.body().then((body) => gzipSync(body).length),
    );
  };
  page.on("response", weighScript);
  // Live lists keep a connection open, so their network is never idle.
  const answer = await page.goto(url, { waitUntil: "load" });
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
  await page.locator(last).first().waitFor({ state: "attached" });
  page.off("response", weighScript);
  if (answer?.status() !== 200 || page.url() !== url)
    throw new Error(`${url} returned ${answer?.status()} at ${page.url()}`);
  const sizes = await Promise.all(scripts.values());
  if (process.env.PLATFORM_PAGE_SCRIPTS !== undefined)
    for (const [index, script] of [...scripts.keys()].entries()) console.log(`  ${sizes[index]} ${script}`);
  await context.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

export function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
