import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleOffer } from "@/tests/samples/configuration";
import { UpgradeForm } from "./upgrade-form";

test("an upgrade that needs answers, with problems", async () => {
  const offer = sampleOffer({
    checksConfiguration: true,
    changes: [
      { kind: "setting", change: "added", name: "note", title: "Note", details: [] },
      {
        kind: "setting",
        change: "changed",
        name: "factor",
        title: "Factor",
        details: [{ member: "title", before: "Multiplier", after: "Factor" }],
      },
    ],
    dropped: ["Old key"],
  });
  await renderPage(<UpgradeForm offer={offer} isRunning why={undefined} />);
  await checkAppearance("upgrade");
  await page.getByRole("button", { name: /^Upgrade to/ }).click();
  await checkAppearance("upgrade, problems");
});

test("a rollback, and an upgrade that cannot start now", async () => {
  const nothing = { asks: [], offers: [] };
  const { unmount } = await renderPage(
    <UpgradeForm offer={sampleOffer({ rollback: true, ...nothing })} isRunning why={undefined} />,
  );
  await checkAppearance("upgrade, rollback");
  await unmount();
  const why = { title: "It is being stopped", text: "Start it again to upgrade it." };
  await renderPage(<UpgradeForm offer={sampleOffer(nothing)} isRunning={false} why={why} />);
  await checkAppearance("upgrade, blocked");
});

test("a version that asks for more needs a yes of its own, and says what it no longer asks for", async () => {
  const added = {
    permissions: [{ name: "claims:read", purpose: "Finds earlier claims of the vehicle" }],
    hosts: [{ host: "api.vin.example", ports: [443], purpose: "Decodes VINs", optional: false }],
  };
  const offer = sampleOffer({
    asks: [],
    offers: [],
    declared: [{ name: "note", title: "Note", type: "Text" }],
    settings: [],
    rights: { added, removed: ["policies:write"], isMore: true },
  });
  const refused = Response.json({ code: "WRONG_STATE", detail: "It is suspended." }, { status: 409 });
  await renderPage(<UpgradeForm offer={offer} isRunning why={undefined} />, {
    answers: { "POST /api/configuration-checks": refused },
  });
  await page.getByRole("button", { name: /^Upgrade to/ }).click();
  await expect.element(page.getByText(/Agree to what the new version may do/).first()).toBeVisible();
  await checkAppearance("upgrade, more rights");
  await page.getByRole("checkbox", { name: "I agree for my organization" }).click({ force: true });
  await expect.element(page.getByText(/Agree to what the new version may do/)).not.toBeInTheDocument();
  // A check runs the new version, too.
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect
    .poll(() => vi.mocked(fetch).mock.calls.map(([, init]) => JSON.parse(String(init?.body)).agree))
    .toEqual([true]);
});

test("an upgrade asks for terms that were not accepted yet", async () => {
  const newTerms = { url: "https://acme.example/terms/2026-12", version: "2026-12" };
  const offer = sampleOffer({ asks: [], offers: [], newTerms });
  await renderPage(<UpgradeForm offer={offer} isRunning why={undefined} />);
  await page.getByRole("button", { name: /^Upgrade to/ }).click();
  await expect.element(page.getByText(/Read and accept the publisher/).first()).toBeVisible();
  await checkAppearance("upgrade, new terms");
  await page.getByRole("checkbox", { name: /I accept version 2026-12/ }).click({ force: true });
  await expect.element(page.getByText(/Read and accept the publisher/)).not.toBeInTheDocument();
});

// Guarantee: nobody moves to what is not reviewed without saying so.
test("an upgrade to a pilot version needs an agreement", async () => {
  const offer = sampleOffer({ asks: [], offers: [], declared: [], mappingFields: [], settings: [] });
  const to = { ...offer.to, pilot: true as const };
  await renderPage(<UpgradeForm offer={{ ...offer, to }} isRunning why={undefined} />);
  const start = page.getByRole("button", { name: /^Upgrade to/ });
  await start.click();
  await expect.element(page.getByText("Agree to this before you upgrade.")).toBeVisible();
  await checkAppearance("upgrade, pilot version");
  expect(vi.mocked(fetch).mock.calls).toEqual([]);
  await page.getByRole("checkbox", { name: /^I agree to run a version/ }).click({ force: true });
  await start.click();
  await expect
    .poll(() => vi.mocked(fetch).mock.calls.map(([, init]) => JSON.parse(String(init?.body)).pilot))
    .toEqual([true]);
});
