import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { renderPage } from "@/tests/browser/render";
import { HOSTILE_MANIFESTS } from "@/tests/manifests/hostile-manifests";
import { ManifestEditor } from "./manifest-editor";

const TABS = ["Preview", "JSON", "What the app sees", "Changes", "Design"];

const listing = {
  id: "6f1b2c34-0000-4000-8000-000000000070",
  appName: "hostile-app",
  name: "acme/hostile-app",
  title: "Hostile app",
  published: undefined,
};
const url = `/api/listings/${listing.id}/manifest`;

const faults: string[] = [];
const onError = (event: ErrorEvent) => void faults.push(event.message);
afterEach(() => window.removeEventListener("error", onError));

// Guarantee: whatever a draft contains, each tab opens, the problems are counted, and looking at it changes nothing.
test.each(HOSTILE_MANIFESTS)("a draft with $what opens in every tab", async ({ text, says }) => {
  localStorage.clear();
  window.addEventListener("error", onError);
  const alert = vi.spyOn(window, "alert").mockImplementation(() => undefined);
  const draft = { text, revision: 3, baseVersionId: null, updatedAt: null, updatedBy: null };
  await renderPage(<ManifestEditor listing={listing} draftJson={checkedDraftJson(draft, listing.name)} />, {
    path: "/publish/hostile-app/manifest",
    answers: { [`GET ${url}`]: draft },
  });
  const requests = vi.mocked(fetch);
  await expect.element(page.getByText(/\d (error|warning)/).first()).toHaveTextContent(says);
  for (const name of TABS) {
    await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
    await expect.element(page.getByRole("tabpanel").first()).toBeVisible();
  }
  await userEvent.keyboard("{Control>}z{/Control}");
  expect(requests.mock.calls.filter(([, init]) => init?.method === "PUT")).toEqual([]);
  expect(alert).not.toHaveBeenCalled();
  expect(faults).toEqual([]);
});
