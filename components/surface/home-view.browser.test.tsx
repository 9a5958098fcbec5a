import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { listAttention } from "@/lib/domain/surface/attention";
import { listTracks, type Progress } from "@/lib/domain/surface/tracks";
import { checkAppearance, renderPage } from "@/tests/browser/render";
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

const home = (progress: Partial<Progress>, attention: ReturnType<typeof listAttention> = []) => {
  const now = { ...NOTHING, ...progress };
  const installations = now.launches;
  return {
    attention,
    tracks: listTracks("owner", "acme", now),
    progress: now,
    installations,
    checked: installations,
    running: installations,
  };
};

// Guarantee: a new organization's first page says what to do next, and nothing else.
test("a new organization sees its next steps", async () => {
  await renderPage(<HomeView organization={home({})} waiting={undefined} publishes />);
  await expect.element(page.getByRole("link", { name: "Connect a tenant" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "New listing" })).toBeVisible();
  await expect.element(page.getByText("Nothing needs attention")).not.toBeInTheDocument();
  await checkAppearance("home, new organization");
});

test("steps that were taken are done, and the next one has the button", async () => {
  const progress = { listings: 1, hasVersion: true, appName: "vin" };
  await renderPage(<HomeView organization={home(progress)} waiting={undefined} publishes />);
  await expect.element(page.getByText("2 of 4 steps done")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Test Launch" }))
    .toHaveAttribute("href", "/launch/acme/vin?test=1");
  await checkAppearance("home, between the steps");
});

test("what needs attention leads to where it is fixed", async () => {
  const installed = { title: "VIN autofill", tenantName: "Production", test: false };
  const attention = listAttention({
    role: "owner",
    installations: [
      {
        ...{ ...installed, id: "1", status: "DOWN", upgradeTo: "1.5.0", since: AT },
        reason: "The app exited with code 1. Start it locally with the same settings to see why.",
      },
    ],
    changedProducts: [{ ...installed, id: "1", products: ["Personal Auto", "Home"], changedAt: AT }],
    deadDeliveries: [{ ...installed, id: "1", count: 3, since: AT }],
    returned: [
      {
        ...{ appName: "rater", title: "Telematics", number: "2.0.0", state: "REJECTED", decidedAt: AT },
        note: "Say where the data goes, and for how long it is kept.",
      },
    ],
    unsubmitted: [],
    drafts: [
      { appName: "rater", title: "Telematics", errors: 2, number: "2.0.0", updatedAt: AT },
      { appName: "vin", title: "VIN autofill", errors: 0, number: "1.5.0", updatedAt: AT },
    ],
    uncheckedDrafts: 0,
    texts: [{ appName: "rater", title: "Telematics", updatedAt: AT }],
  });
  const progress = {
    listings: 2,
    publicListings: 1,
    tenants: 1,
    launches: 1,
    hasVersion: true,
    testLaunches: 1,
    hasSubmission: true,
  };
  await renderPage(
    <HomeView
      organization={home(progress, attention)}
      waiting={{ count: 2, oldest: AT, overdue: 1 }}
      publishes
    />,
  );
  await expect.element(page.getByText("2 reviews are waiting")).toBeVisible();
  await expect.element(page.getByText("1 is overdue")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Upgrade: VIN autofill" }))
    .toHaveAttribute("href", "/installations/1/upgrade");
  expect(page.getByRole("list", { name: "Needs attention" }).getByRole("listitem").elements()).toHaveLength(
    8,
  );
  await checkAppearance("home, much needs attention");
});

test("an organization whose apps all run sees that nothing needs attention", async () => {
  const progress = { tenants: 1, launches: 3 };
  await renderPage(<HomeView organization={home(progress)} waiting={undefined} publishes={false} />);
  await expect.element(page.getByText("Nothing needs attention")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Installations" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Listings" })).not.toBeInTheDocument();
  await checkAppearance("home, nothing needs attention");
});

test("a moderator without an organization sees the queue", async () => {
  await renderPage(
    <HomeView organization={undefined} waiting={{ count: 0, oldest: null, overdue: 0 }} publishes={false} />,
  );
  await expect.element(page.getByText("No reviews are waiting")).toBeVisible();
  await checkAppearance("home, moderator");
});
