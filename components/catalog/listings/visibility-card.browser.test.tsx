import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { LeavePilotButton, PilotsCard } from "./pilots-card";
import { VisibilityCard } from "./visibility-card";

const listing = { id: "l1", title: "VIN autofill", isPublic: true };
const LINK = `https://platform.example/marketplace/acme/vin?link=${"a-B_9".repeat(8)}xyz`;
const done = () => new Response(null, { status: 204 });
const sent = () =>
  vi
    .mocked(fetch)
    .mock.calls.map(([url, init]) => [init?.method, url, JSON.parse(String(init?.body ?? "null"))]);
const choose = (name: RegExp) => page.getByRole("radio", { name }).click({ force: true });
const save = page.getByRole("button", { name: "Save", exact: true });

test("a publisher names the organizations that see an app", async () => {
  const detail = "There is no organization with the slug “nobody”.";
  await renderPage(
    <VisibilityCard listing={listing} visibility="EVERYONE" link={undefined} organizations={[]} />,
    {
      path: "/publish/vin/settings",
      answers: {
        "PUT /api/listings/l1/visibility": Response.json({ code: "BAD_INPUT", detail }, { status: 400 }),
      },
    },
  );
  await expect.element(save).toBeDisabled();
  await checkAppearance("who sees an app, everyone");
  await choose(/^Named organizations/);
  const names = page.getByRole("textbox", { name: "Organizations" });
  await names.fill("harbor, nobody\nalpine ");
  await save.click();
  await expect.element(page.getByText(detail)).toBeVisible();
  await expect.element(names).toHaveValue("harbor, nobody\nalpine ");
  expect(sent()).toEqual([
    [
      "PUT",
      "/api/listings/l1/visibility",
      { visibility: "NAMED", organizations: ["harbor", "nobody", "alpine"] },
    ],
  ]);
  await checkAppearance("who sees an app, unknown organization");
});

// Guarantee: nobody ends a link by accident, and whoever has to pass it on can copy it.
test("a link is shown to be copied, and replaced after a question", async () => {
  await renderPage(<VisibilityCard listing={listing} visibility="LINK" link={LINK} organizations={[]} />, {
    answers: { "POST /api/listings/l1/link": done() },
  });
  await expect.element(page.getByText(LINK)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  await checkAppearance("who sees an app, by link");
  await page.getByRole("button", { name: "Make a new link" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Make a new link for VIN autofill?" });
  await expect.element(dialog.getByText(/stops working immediately/)).toBeVisible();
  expect(sent()).toEqual([]);
  await dialog.getByRole("button", { name: "Make a new link" }).click();
  await expect.poll(sent).toEqual([["POST", "/api/listings/l1/link", {}]]);
});

test("a draft says when the choice applies", async () => {
  const draft = { ...listing, isPublic: false };
  const organizations = [{ slug: "harbor", name: "Harbor Mutual" }];
  await renderPage(
    <VisibilityCard listing={draft} visibility="NAMED" link={undefined} organizations={organizations} />,
  );
  await expect.element(page.getByText("This applies while the app is public.")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Organizations" })).toHaveValue("harbor");
});

test("a publisher names pilots, and an owner leaves a pilot", async () => {
  const { unmount } = await renderPage(<PilotsCard listingId="l1" organizations={[]} />, {
    answers: { "PUT /api/listings/l1/pilots": done() },
  });
  await page.getByRole("textbox", { name: "Pilot organizations" }).fill("harbor");
  await checkAppearance("pilots of an app");
  await page.getByRole("button", { name: "Save pilots" }).click();
  await expect.poll(sent).toEqual([["PUT", "/api/listings/l1/pilots", { organizations: ["harbor"] }]]);
  await unmount();
  await renderPage(<LeavePilotButton listingId="l1" title="VIN autofill" />, {
    answers: { "DELETE /api/pilots/l1": done() },
  });
  await page.getByRole("button", { name: "Leave the pilot" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave the pilot" }).click();
  await expect.poll(sent).toEqual([["DELETE", "/api/pilots/l1", null]]);
});
