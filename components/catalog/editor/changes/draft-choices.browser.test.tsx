/** The notices that let users choose between their draft and someone else's, or a newly published manifest. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { Problem } from "@/lib/contract/platform/problem";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { selectEntry } from "@/tests/browser/select-entry";
import { ManifestEditor } from "../manifest-editor";

const manifest = (greeting: string, farewell: string) =>
  JSON.stringify(
    {
      name: "acme/merged",
      version: "1.0.0",
      app: {
        fields: [
          { name: "hello", title: greeting, type: "Text" },
          { name: "bye", title: farewell, type: "Text" },
        ],
      },
    },
    null,
    2,
  );

const versionId = "6f1b2c34-0000-4000-8000-000000000041";
const baseVersionId = "6f1b2c34-0000-4000-8000-000000000042";
// Each test has its own listing: the editor of the test before may still store its draft in this browser.
const conflictListing = "6f1b2c34-0000-4000-8000-000000000040";
const publishedListing = "6f1b2c34-0000-4000-8000-000000000043";
const listing = { appName: "merged", name: "acme/merged", title: "Merged", published: undefined };
const draft = {
  text: manifest("Greeting", "Farewell"),
  revision: 3,
  baseVersionId,
  updatedAt: "2026-11-20T10:00:00.000Z",
  updatedBy: "Pia Publisher",
};
const row = (name: string) => page.getByRole("row", { name, exact: true });

test("a conflict with someone else's draft is compared and merged", async () => {
  const url = `/api/listings/${conflictListing}`;
  const edited = { ...listing, id: conflictListing };
  const theirs = { ...draft, text: manifest("Salutation", "Farewell"), revision: 4, updatedBy: "Ada" };
  let stored = draft;
  const stale = new Problem("STALE_REVISION", "The draft has changed.").body();
  await renderPage(<ManifestEditor listing={edited} draftJson={checkedDraftJson(draft, listing.name)} />, {
    path: "/publish/merged/manifest",
    answers: {
      get [`GET ${url}/manifest`]() {
        return stored;
      },
      // Not earlier: the editor also looks when it opens or gets the focus, and shows what it finds while nothing is typed.
      get [`PUT ${url}/manifest`]() {
        stored = theirs;
        return Response.json(stale, { status: stale.status });
      },
    },
  });
  await selectEntry("Farewell");
  await page.getByRole("textbox", { name: "Title" }).fill("Goodbye");
  await expect.element(page.getByText(/^Ada changed this manifest/)).toBeVisible();
  await checkAppearance("editor, conflict");
  await page.getByRole("button", { name: "See differences" }).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent(/Salutation/);
  await page.getByRole("button", { name: "Close" }).click();
  await page.viewport(1440, 900);
  // The notice counts what both changed as it is now, and says whose is kept.
  await expect.element(page.getByText(/Merge keeps the changes of both\.$/)).toBeVisible();
  await selectEntry("Greeting");
  await page.getByRole("textbox", { name: "Title" }).fill("Hey");
  await expect.element(page.getByText(/and yours for 1 value that both changed/)).toBeVisible();
  await page.getByRole("textbox", { name: "Title" }).fill("Greeting");
  await expect.element(page.getByText(/Merge keeps the changes of both\.$/)).toBeVisible();
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await expect.element(row("Salutation")).toBeVisible();
  await expect.element(row("Goodbye")).toBeVisible();
  // The button is gone, but the focus stays in the editor.
  await expect.poll(() => document.activeElement?.getAttribute("data-entry") ?? "").toMatch(/^entry-/);
});

test("a newly published manifest is merged with the draft", async () => {
  const url = `/api/listings/${publishedListing}`;
  const published = { versionId, number: "1.1.0", createdAt: "2026-11-21T10:00:00.000Z", differs: true };
  const version = (versionId: string, number: string, text: string) => ({ versionId, number, text });
  const mine = { ...draft, text: manifest("Welcome", "Farewell") };
  const edited = { ...listing, id: publishedListing, published };
  await renderPage(<ManifestEditor listing={edited} draftJson={checkedDraftJson(mine, listing.name)} />, {
    path: "/publish/merged/manifest",
    answers: {
      [`GET ${url}/manifest`]: mine,
      [`PUT ${url}/manifest`]: { ...mine, revision: 4 },
      [`GET ${url}/versions/${versionId}/manifest`]: version(
        versionId,
        "1.1.0",
        manifest("Greeting", "Goodbye"),
      ),
      [`GET ${url}/versions/${baseVersionId}/manifest`]: version(
        baseVersionId,
        "1.0.0",
        manifest("Greeting", "Farewell"),
      ),
    },
  });
  const title = page.getByText("Version 1.1.0 was published with a different manifest");
  await expect.element(title).toBeVisible();
  await checkAppearance("editor, published");
  await page.viewport(1440, 900);
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await expect.element(row("Goodbye")).toBeVisible();
  await expect.element(row("Welcome")).toBeVisible();
  await expect.element(title).not.toBeInTheDocument();
});
