import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { DeleteDraftCard, RetireCard } from "./end-listing";

const listing = { id: "l1", appName: "vin", title: "VIN autofill", state: "DRAFT" } as const;
const URL = "/api/listings/l1";

// Guarantee: nobody deletes a draft without knowing what goes with it.
test("a draft is deleted once its name is typed, and the dialog names what goes", async () => {
  await renderPage(
    <DeleteDraftCard
      listing={listing}
      versions={["1.6.0", "1.5.0", "1.4.0", "1.3.0", "1.2.0", "1.1.0", "1.0.0"]}
      hasManifestDraft
    />,
    { path: "/publish/vin/settings", answers: { [`DELETE ${URL}`]: new Response(null, { status: 204 }) } },
  );
  await page.getByRole("button", { name: "Delete draft" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete VIN autofill?" });
  await expect
    .element(dialog.getByText("versions 1.6.0, 1.5.0, 1.4.0, 1.3.0, 1.2.0 and 2 more, with their images"))
    .toBeVisible();
  await expect.element(dialog.getByText("the draft of its manifest")).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Delete draft" });
  await expect.element(confirm).toBeDisabled();
  await checkAppearance("listing, delete a draft");
  await dialog.getByRole("textbox").fill("vin");
  await confirm.click();
  await expect
    .poll(() => vi.mocked(fetch).mock.calls.map(([url, init]) => [url, init?.method]))
    .toContainEqual([URL, "DELETE"]);
  await expect.poll(() => location.pathname).toBe("/publish");
});

test("a draft that can only be retired says why", async () => {
  await renderPage(<RetireCard listing={listing} installations={0} />);
  await expect.element(page.getByText(/deleted only if it was never submitted for review/)).toBeVisible();
});

test("a refusal to retire is shown", async () => {
  const detail = "This listing is already retired. Reload the page.";
  await renderPage(<RetireCard listing={{ ...listing, state: "PUBLIC" }} installations={2} />, {
    answers: { [`POST ${URL}/retire`]: Response.json({ code: "WRONG_STATE", detail }, { status: 409 }) },
  });
  await page.getByRole("button", { name: "Retire listing" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog.getByText(/2 installations keep running/)).toBeVisible();
  await dialog.getByRole("textbox").fill("vin");
  await dialog.getByRole("button", { name: "Retire permanently" }).click();
  await expect.element(dialog.getByText(detail)).toBeVisible();
});
