import type { ComponentProps } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { NO_CALLS, toCallsOfDay } from "@/lib/domain/insight/calls-of-day";
import { noteUnreleased } from "@/lib/domain/surface/attention";
import {
  type InstalledApp,
  listInstallationRows,
  listListingRows,
  type OwnApp,
} from "@/lib/domain/surface/home-rows";
import { listTracks, type Progress } from "@/lib/domain/surface/tracks";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { UnreleasedNotices } from "./attention-card";
import { HomeView } from "./home-view";

const NOTHING: Progress = {
  appName: null,
  listings: 0,
  publicListings: 0,
  hasVersion: false,
  testLaunches: 0,
  hasSubmission: false,
  tenants: 0,
  launches: 0,
  installed: 0,
};
const AT = new Date("2026-11-20T10:00:00Z");

const DAY = toCallsOfDay(
  Array.from({ length: 24 }, (_, ago) => ({
    ...{ ago, calls: 40 + Math.round(30 * Math.sin(ago / 3)) },
    failed: ago === 4 || ago === 5 ? 12 : 0,
  })),
);

const installed = (id: string, changes: Partial<InstalledApp> = {}): InstalledApp => ({
  ...{ id, title: "VIN autofill", name: "acme/vin", tenantName: "Production", test: false, trial: false },
  ...{ status: "RUNNING", reason: undefined, since: undefined, upgradeTo: null },
  ...{ dead: undefined, changed: undefined, day: DAY },
  ...changes,
});

const offered = (appName: string, changes: Partial<OwnApp> = {}): OwnApp => ({
  ...{ appName, title: "Telematics", state: "PUBLIC", verified: "2.0.0", customers: 3, day: DAY },
  newest: { number: "2.0.0", createdAt: AT, isVerified: true, isSubmitted: true },
  ...{ review: null, draft: undefined, textChangedAt: undefined, broken: null },
  ...changes,
});

const NO_REQUESTS = { waiting: 0, approved: [], hasMoreApproved: false };

interface Home {
  requests?: NonNullable<ComponentProps<typeof HomeView>["organization"]>["requests"];
  progress?: Partial<Progress>;
  installations?: InstalledApp[];
  listings?: OwnApp[];
  isComplete?: boolean;
}

const home = ({
  requests = NO_REQUESTS,
  progress = {},
  installations = [],
  listings = [],
  isComplete = true,
}: Home) => ({
  requests,
  tracks: listTracks("owner", "acme", { ...NOTHING, ...progress }),
  installations: {
    rows: listInstallationRows(installations, "owner").map((row) => ({ ...row, lastCallAt: AT })),
    total: isComplete ? installations.length : 218,
    isComplete,
    running: installations.filter(({ status }) => status === "RUNNING").length,
    looked: installations.length,
  },
  listings: {
    rows: listListingRows(listings),
    total: listings.length,
    isComplete,
    uncheckedDrafts: isComplete ? 0 : 2,
  },
});

const DONE = { tenants: 1, launches: 3 };

// Guarantee: a new organization's first page says what to do next, and nothing else.
test("a new organization sees its next steps", async () => {
  await renderPage(<HomeView organization={home({})} organizationSlug="acme" queue={undefined} />);
  await expect.element(page.getByRole("link", { name: "Connect a tenant" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "New listing" })).toBeVisible();
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
  await checkAppearance("home, new organization");
});

test("steps that were taken are done, and the next one has the button", async () => {
  const progress = { listings: 1, hasVersion: true, appName: "vin" };
  await renderPage(<HomeView organization={home({ progress })} organizationSlug="acme" queue={undefined} />);
  await expect.element(page.getByText("2 of 4 steps done")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Test Launch" }))
    .toHaveAttribute("href", "/launch/acme/vin?test=1");
  await checkAppearance("home, between the steps");
});

// Guarantee: nobody waits for a decision because it is asked for on a page that nobody opens.
test("an owner sees how many requests to launch are waiting", async () => {
  const organization = home({ progress: DONE, requests: { ...NO_REQUESTS, waiting: 3 } });
  await renderPage(<HomeView organization={organization} organizationSlug="acme" queue={undefined} />);
  await expect.element(page.getByText("3 launch requests are waiting")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Open requests" }))
    .toHaveAttribute("href", "/installations/requests");
});

test("a member launches what was approved, with the app's link where it needs one", async () => {
  const approval = (id: string, needsLink: boolean) => ({
    ...{ id, title: "Claims intake", publisherSlug: "acme", appName: "claims", tenantName: `North ${id}` },
    ...{ validUntil: new Date(Date.now() + 864e5), needsLink },
  });
  const approved = [approval("1", false), approval("2", true)];
  const organization = home({
    progress: DONE,
    requests: { waiting: 0, approved, hasMoreApproved: true },
  });
  await renderPage(<HomeView organization={organization} organizationSlug="acme" queue={undefined} />);
  await expect.element(page.getByText("Approved: launch Claims intake").first()).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Launch: Claims intake, North 1" }))
    .toHaveAttribute("href", "/launch/acme/claims");
  await expect.element(page.getByText("Open the app with the link that you have")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "All your approved requests" })).toBeVisible();
  expect(page.getByRole("link", { name: /^Launch:/ }).elements()).toHaveLength(1);
  await checkAppearance("home, approved requests");
});

// Guarantee: why an app failed, and who is affected, is one click away.
test("each row leads to where its question is answered", async () => {
  const organization = home({
    progress: DONE,
    installations: [
      installed("1", {
        ...{ status: "DOWN", upgradeTo: "1.5.0", since: AT, tenantName: "Production of Harbor Mutual" },
        reason: "The app exited with code 1. Start it locally with the same settings to see why.",
        dead: { count: 3, since: AT },
        changed: { products: ["Personal Auto", "Home"], changedAt: AT },
      }),
      installed("2", { title: "Photo estimates", name: "acme/photo", upgradeTo: "1.5.0" }),
      installed("3", { title: "Claims intake", test: true, day: NO_CALLS, status: "ASLEEP" }),
    ],
    listings: [
      offered("rater", {
        review: {
          ...{ id: "9", state: "REJECTED", number: "2.1.0", decidedAt: AT },
          note: "Say where the data goes, and for how long it is kept.",
        },
        draft: { errors: 2, updatedAt: AT },
      }),
      offered("vin", {
        ...{ title: "VIN autofill", customers: 0, day: NO_CALLS },
        review: { id: "8", state: "PENDING", number: "2.1.0", decidedAt: null, note: "" },
      }),
    ],
  });
  await renderPage(<HomeView organization={organization} organizationSlug="acme" queue={undefined} />);
  const installations = page.getByRole("table", { name: "Installations" });
  await expect
    .element(installations.getByRole("link", { name: "24 failed" }).first())
    .toHaveAttribute("href", "/installations/1/calls?last=24h&state=failed");
  await expect
    .element(installations.getByRole("link", { name: "Upgrade: Photo estimates, Production" }))
    .toHaveAttribute("href", "/installations/2/upgrade");
  await expect.element(installations.getByText("and 2 more")).toBeVisible();
  await expect.element(installations.getByText("No calls")).toBeVisible();
  const listings = page.getByRole("table", { name: "Listings" });
  await expect
    .element(listings.getByRole("link", { name: "3 customers of Telematics" }))
    .toHaveAttribute("href", "/publish/rater/customers");
  await expect
    .element(listings.getByRole("link", { name: "2.1.0 is in review" }))
    .toHaveAttribute("href", "/publish/vin/reviews/8");
  await expect.element(page.getByText("Get started")).not.toBeInTheDocument();
  await checkAppearance("home, much needs attention");
});

test("of many rows, some are shown, and the rest is one click away", async () => {
  const installations = Array.from({ length: 20 }, (_, index) =>
    installed(String(index), {
      tenantName: `Branch ${index}`,
      status: "ERROR",
      reason: `Error ${index % 18}.`,
    }),
  );
  await renderPage(
    <HomeView
      organization={home({ progress: DONE, installations, listings: [offered("rater")], isComplete: false })}
      organizationSlug="acme"
      queue={undefined}
    />,
  );
  await expect.element(page.getByText("2 tenants").first()).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "All 218 installations" }))
    .toHaveAttribute("href", "/installations");
  await expect.element(page.getByText("2 drafts of manifests are older or very large")).toBeVisible();
  await checkAppearance("home, many installations");
});

// Guarantee: a number that covers only some of the installations says so.
test("of very many installations, the newest are counted as running, and the page says it", async () => {
  const { installations, ...rest } = home({
    progress: DONE,
    installations: [installed("1")],
    isComplete: false,
  });
  await renderPage(
    <HomeView
      organization={{ ...rest, installations: { ...installations, running: 41, looked: 50 } }}
      organizationSlug="acme"
      queue={undefined}
    />,
  );
  await expect.element(page.getByText("41 of the newest 50 running")).toBeVisible();
});

test("an organization that uninstalled everything is led to the marketplace", async () => {
  await renderPage(
    <HomeView organization={home({ progress: DONE })} organizationSlug="acme" queue={undefined} />,
  );
  await expect.element(page.getByText("No apps are installed")).toBeVisible();
  await expect.element(page.getByText("Listings")).not.toBeInTheDocument();
  await checkAppearance("home, nothing installed");
});

const review = {
  ...{ id: "1", title: "Photo estimates", appName: "photo", organizationSlug: "acme" },
  ...{ organizationName: "Acme Apps", versionNumber: "1.1.0", dueAt: AT, isOverdue: true },
  ...{ claim: undefined, own: false },
};

test("a moderator sees what is due first", async () => {
  const rows = [
    review,
    { ...review, id: "2", isOverdue: false, versionNumber: null, claim: "Ada Lovelace" },
    { ...review, id: "3", isOverdue: false, own: true },
  ];
  await renderPage(
    <HomeView
      organization={undefined}
      organizationSlug=""
      queue={{ count: 30, overdue: 1, reports: 3, rows }}
    />,
  );
  await expect.element(page.getByText("30 waiting, 1 overdue")).toBeVisible();
  await expect.element(page.getByText("3 reports are open")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Open reports" }))
    .toHaveAttribute("href", "/moderation/reports");
  await expect
    .element(page.getByRole("link", { name: "Photo estimates" }).first())
    .toHaveAttribute("href", "/moderation/1");
  await expect.element(page.getByRole("link", { name: "All 30 reviews" })).toBeVisible();
  await checkAppearance("home, moderator");
});

test("a moderator without reviews", async () => {
  await renderPage(
    <HomeView
      organization={undefined}
      organizationSlug=""
      queue={{ count: 0, overdue: 0, reports: 0, rows: [] }}
    />,
  );
  await expect.element(page.getByText("No reviews are waiting")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open reports" })).not.toBeInTheDocument();
  await checkAppearance("home, no reviews");
});

test("what is not released leads to where it is released", async () => {
  const listing = { appName: "vin", newest: { number: "1.2.0" }, textChangedAt: new Date() };
  const notes = noteUnreleased({ ...listing, draft: { errors: 2, updatedAt: new Date() } });
  await renderPage(<UnreleasedNotices notes={notes} />);
  await expect.element(page.getByText(/has 2 problems to fix before a release/)).toBeVisible();
  for (const [name, href] of [
    ["Edit manifest", "/publish/vin/manifest"],
    ["Edit listing", "/publish/vin/edit"],
  ] as const)
    await expect.element(page.getByRole("link", { name })).toHaveAttribute("href", href);
  await checkAppearance("app overview, not released");
});
