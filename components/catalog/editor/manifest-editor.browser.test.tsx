import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { selectEntry } from "@/tests/browser/select-entry";
import { ManifestEditor } from "./manifest-editor";

const MANIFEST = {
  name: "acme/styled",
  version: "1.0.0",
  "x-team": "claims",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "America", value: "us" },
        ],
      },
      { name: "apiKey", title: "Provider key", type: "Text", hint: "From your provider's console" },
      { name: "apiKey", title: "A name that another setting has too", type: "Text" },
      {
        name: "note",
        title: "A title that goes on and on, as long as titles in real manifests tend to be, and then some",
        type: "Text",
      },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN field", required: true }],
    webhooks: [{ path: "/events", events: ["policy.issued", "policy.cancelled"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    endpoints: [{ path: "/callbacks/*", methods: ["POST"], access: "public", title: "Callbacks" }],
    lifecycle: ["install", "uninstall"],
  },
};

const listing = {
  id: "6f1b2c34-0000-4000-8000-000000000030",
  appName: "styled",
  name: "acme/styled",
  title: "Styled",
  published: undefined,
};
const versionId = "6f1b2c34-0000-4000-8000-000000000031";
const published = { versionId, number: "1.0.0", createdAt: "2026-11-20T10:00:00.000Z", differs: true };
const url = `/api/listings/${listing.id}/manifest`;

const open = (tab: string, isPublished: boolean) => {
  const draft = {
    text: JSON.stringify(MANIFEST, null, 2),
    revision: 3,
    baseVersionId: isPublished ? versionId : null,
    updatedAt: "2026-11-20T10:00:00.000Z",
    updatedBy: "Pia Publisher",
  };
  const before = JSON.stringify({ ...MANIFEST, app: { fields: MANIFEST.app.fields.slice(1) } }, null, 2);
  const version = { versionId, number: "1.0.0", text: before };
  return renderPage(
    <ManifestEditor
      listing={{ ...listing, published: isPublished ? published : undefined }}
      draftJson={checkedDraftJson(draft, listing.name)}
    />,
    {
      path: `/publish/styled/manifest?tab=${tab}`,
      answers: {
        [`GET ${url}`]: draft,
        [`GET /api/listings/${listing.id}/versions/${versionId}/manifest`]: version,
      },
    },
  );
};

const SHOWN: Record<string, string | RegExp> = {
  design: "Palette",
  preview: /Provider key/,
  json: /x-team/,
  app: /PLATFORM/,
  changes: /version/i,
};

test.each(Object.keys(SHOWN))("the editor's tab %s", async (tab) => {
  localStorage.clear();
  await open(tab, tab === "changes");
  await expect.element(page.getByText(SHOWN[tab] ?? "").first()).toBeInTheDocument();
  await checkAppearance(`editor, ${tab}`, [390, 834, 1440]);
});

// Guarantee: each member of an endpoint can be edited, and a preview shows customers what would be public.
test("an endpoint in the inspector", async () => {
  localStorage.clear();
  await open("design", false);
  await selectEntry("Callbacks");
  await expect.element(page.getByRole("textbox", { name: "Path" })).toHaveValue("/callbacks/*");
  const get = page.getByRole("checkbox", { name: "GET" });
  await expect.element(get).not.toBeChecked();
  await get.click({ force: true });
  await expect.element(get).toBeChecked();
  await page.getByRole("checkbox", { name: "POST" }).click({ force: true });
  await page.getByRole("checkbox", { name: "GET" }).click({ force: true });
  await expect.element(page.getByText(/This list is empty/).first()).toBeVisible();
  await checkAppearance("editor, endpoint", [390, 834, 1440]);
});

// Guarantee: a proposal is an edit like any other: it can be undone, and doesn't come back.
test("a proposal of fewer hosts is applied when the editor opens, and can be undone", async () => {
  localStorage.clear();
  const hosts = ["api.vin.example", "old.example", "unused.example"].map((host) => ({ host, purpose: "p" }));
  const text = JSON.stringify({ ...MANIFEST, core: { ...MANIFEST.core, hosts } }, null, 2);
  const draft = { text, revision: 3, baseVersionId: null, updatedAt: null, updatedBy: null };
  await renderPage(
    <ManifestEditor
      listing={listing}
      draftJson={checkedDraftJson(draft, listing.name)}
      unusedHosts={["old.example", "unused.example"]}
    />,
    { path: "/publish/styled/manifest?propose=fewer-hosts", answers: { [`GET ${url}`]: draft } },
  );
  await expect.element(page.getByText(/Removed 2 hosts that the app did not use/).first()).toBeVisible();
  expect(location.search).toBe("");
  await expect.element(page.getByText("old.example")).not.toBeInTheDocument();
  await checkAppearance("editor, fewer hosts", [390, 1440]);
  await page.getByRole("button", { name: "Undo: Remove 2 unused hosts" }).click();
  await expect.element(page.getByText("old.example").first()).toBeInTheDocument();
});

const dialog = () => page.getByRole("dialog");

test("the command palette, the shortcuts and the release dialog", async () => {
  localStorage.clear();
  await open("design", true);
  await expect.element(page.getByText("Palette").first()).toBeInTheDocument();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(dialog()).toBeVisible();
  await checkAppearance("editor, command palette");
  await userEvent.keyboard("{Escape}");
  await selectEntry("Provider key");
  await userEvent.keyboard("?");
  await expect.element(dialog()).toHaveTextContent(/Undo/);
  await checkAppearance("editor, shortcuts");
  await userEvent.keyboard("{Escape}");
  await page.viewport(1440, 900);
  await page.getByRole("button", { name: "Release", exact: true }).click();
  await expect.element(dialog()).toBeVisible();
  await checkAppearance("editor, release");
});
