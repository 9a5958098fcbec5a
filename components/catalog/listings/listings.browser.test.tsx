import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { Pager } from "@/components/ui/page-header";
import type { ReviewState } from "@/lib/contract/catalog/listing";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ManifestSummary } from "../marketplace/manifest-summary";
import { SubmitReviewButton } from "./listing-actions";
import { NewListingForm } from "./new-listing-form";
import { VersionsCard } from "./versions-card";

beforeEach(() => localStorage.clear());

const form = <NewListingForm organizationSlug="acme" draftKey="listing-draft:test" />;

// Guarantee: leaving the form loses nothing.
test("what was typed is back after leaving, and gone after starting over", async () => {
  const { unmount } = await renderPage(form);
  await page.getByLabelText("Title").fill("VIN autofill");
  await page.getByLabelText("Product").fill("Looks up a VIN.");
  await expect.element(page.getByLabelText("App name")).toHaveValue("vin-autofill");
  await unmount();
  await renderPage(form);
  await expect.element(page.getByText("Your input was restored")).toBeVisible();
  await expect.element(page.getByLabelText("Product")).toHaveValue("Looks up a VIN.");
  await checkAppearance("new listing, restored");
  // The name was not chosen by hand, so it still follows the title.
  await page.getByLabelText("Title").fill("VIN lookup");
  await expect.element(page.getByLabelText("App name")).toHaveValue("vin-lookup");
  await page.getByRole("button", { name: "Start over" }).click();
  await expect.element(page.getByLabelText("Title")).toHaveValue("");
  expect(localStorage.length).toBe(0);
});

test("leaving the form asks first, unless nothing was typed", async () => {
  await renderPage(form, { path: "/publish/new" });
  await page.getByLabelText("Title").fill("VIN autofill");
  await page.getByRole("link", { name: "Cancel" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await expect.element(dialog.getByText(/stays in this browser/)).toBeVisible();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await expect.poll(() => location.pathname).toBe("/publish");
});

// Guarantee: an older version is submitted only by somebody who knows that a newer one is verified.
test("submitting an older version warns", async () => {
  const bodies: unknown[] = [];
  const url = "/api/listings/1/reviews";
  await renderPage(
    <SubmitReviewButton
      listingId="1"
      appName="vin"
      versionId="2"
      number="1.4.0"
      releaseNotes="Faster."
      isPublic
      newerVerified="1.5.0"
    />,
    { answers: { [`POST ${url}`]: { reviewId: "0198c000-0000-7000-8000-000000000000" } } },
  );
  const answer = window.fetch;
  window.fetch = (path, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return answer(path, init);
  };
  await page.getByRole("button", { name: "Submit for review" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox", { name: /Note for the moderator/ }).fill("A fix for 1.4.0.");
  await expect.element(dialog.getByText("Version 1.5.0 is newer and already verified")).toBeVisible();
  await checkAppearance("listing, submit an older version");
  await dialog.getByRole("button", { name: "Submit older version" }).click();
  await expect
    .poll(() => bodies)
    .toEqual([{ versionId: "2", older: true, note: "A fix for 1.4.0.", releaseNotes: "Faster." }]);
  await expect
    .poll(() => location.pathname)
    .toBe("/publish/vin/reviews/0198c000-0000-7000-8000-000000000000");
});

// Guarantee: what was rejected can't be submitted again as it is; what was returned can.
test("each version shows its review, and only those that may be submitted have the button", async () => {
  const version = (number: string, review: ReviewState | null, verifiedAt: Date | null = null) => ({
    ...{
      id: number,
      review,
      reviewId: review === null ? null : `review-${number}`,
      number,
      imageDigest: "sha256:0123456789abcdef",
      archiveBytes: 2_000_000,
      verifiedAt,
    },
    releaseNotes: number === "1.0.0" ? "The **first** one." : "",
    createdAt: new Date("2026-11-20T10:00:00Z"),
  });
  await page.viewport(1440, 900);
  await renderPage(
    <VersionsCard
      listing={{ id: "1", state: "PUBLIC", organizationSlug: "acme", appName: "vin" }}
      versions={[
        version("1.3.0", null),
        version("1.2.0", "REJECTED"),
        version("1.1.0", "CHANGES_REQUESTED"),
        version("1.0.0", "APPROVED", new Date()),
      ]}
      total={60}
      testLaunches={[]}
      highestVerified="1.0.0"
      mayReview
      pager={<Pager path="/publish/vin/versions" query={{}} pages={{ isFirst: true, next: "older" }} />}
    />,
  );
  const submit = (text: string) =>
    page.getByRole("row", { name: new RegExp(text) }).getByRole("button", { name: "Submit for review" });
  await expect.element(submit("Not verified")).toBeVisible();
  await expect.element(submit("Changes requested")).toBeVisible();
  await expect.element(submit("Rejected")).not.toBeInTheDocument();
  await expect.element(submit("Verified")).not.toBeInTheDocument();
  await expect
    .element(page.getByRole("link", { name: "Review of version 1.1.0" }))
    .toHaveAttribute("href", "/publish/vin/reviews/review-1.1.0");
  await checkAppearance("listing, versions with reviews");
});

const manifest: Manifest = {
  name: "acme/vin-autofill",
  version: "1.0.0",
  app: {
    fields: [
      { name: "region", title: "Region", type: "Text", hint: "Where your customers are", required: true },
      { name: "providerKeyForTheRegionalService", title: "Provider key", type: "Password", required: true },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN field", hint: "Where the VIN is stored", required: true }],
    webhooks: [{ path: "/events", events: ["policy.issued", "policy.cancelled", "endorsement.*"] }],
    autofill: [{ path: "/autofill/vehicle/by-vin", operations: ["newBusiness.*"] }],
  },
};

// Guarantee: on a phone, no part of a table is cut off.
test("the tables of a listing are stacked on a phone", async () => {
  await renderPage(
    <div className="flex flex-col gap-6">
      <ManifestSummary manifest={manifest} />
    </div>,
  );
  await checkAppearance("listing, manifest summary");
  await page.viewport(390, 900);
  for (const region of page.getByRole("region").elements())
    expect(
      region.scrollWidth - region.clientWidth,
      region.getAttribute("aria-label") ?? "",
    ).toBeLessThanOrEqual(0);
  const table = page.getByRole("table", { name: "Settings" });
  expect(table.getByRole("columnheader").elements()).toHaveLength(4);
  await expect.element(table.getByRole("cell", { name: "Password" })).toBeVisible();
});
