/** Keyboard users of the editor: the focus never falls to the page, and nothing typed is lost. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { renderPage } from "@/tests/browser/render";
import { selectEntry } from "@/tests/browser/select-entry";
import { ManifestEditor } from "./manifest-editor";

const TITLES = ["Region", "Provider key", "Note"];

async function open(id: string, titles: readonly string[]) {
  localStorage.clear();
  await page.viewport(1440, 900);
  const fields = titles.map((title, index) => ({ name: `s${index}`, title, type: "Text" }));
  const text = JSON.stringify({ name: "acme/keys", version: "1.0.0", app: { fields } });
  const draft = { text, revision: 3, baseVersionId: null, updatedAt: null, updatedBy: null };
  const listing = { id, appName: "keys", name: "acme/keys", title: "Keys", published: undefined };
  await renderPage(
    <>
      <a href="#main">Skip to content</a>
      <ManifestEditor listing={listing} draftJson={checkedDraftJson(draft, listing.name)} />
    </>,
    { path: "/publish/keys/manifest", answers: { [`GET /api/listings/${id}/manifest`]: draft } },
  );
  await expect.element(row(titles[0] ?? "")).toBeVisible();
}

const row = (name: string) => page.getByRole("row", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name });
const title = () => page.getByRole("textbox", { name: "Title", exact: true });

test("the focus stays in the editor when its element disappears", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000061", TITLES);
  await selectEntry("Note");
  await title().click();
  await userEvent.keyboard("{Alt>}2{/Alt}");
  await expect.element(tab("Preview")).toHaveFocus();
  await userEvent.keyboard("{Alt>}4{/Alt}");
  await expect.element(tab("What the app sees")).toHaveFocus();
  await userEvent.keyboard("{Alt>}1{/Alt}");
  await expect.element(tab("Design")).toBeVisible();
  await selectEntry("Note");
  await userEvent.keyboard("{Alt>}{Shift>}t{/Shift}{/Alt}");
  await expect.element(title()).toHaveFocus();
  // The field that has the focus belongs to the entry that the undo removes.
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(() => document.activeElement?.getAttribute("data-entry") ?? "none").toMatch(/^entry-/);
});

test("shortcuts add a permission and a host", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000066", TITLES);
  await userEvent.keyboard("{Alt>}{Shift>}c{/Shift}{/Alt}");
  await expect.element(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("policies:read");
  // Text fields keep their keys.
  await userEvent.keyboard("{Escape}{Alt>}{Shift>}h{/Shift}{/Alt}");
  await expect.element(page.getByRole("textbox", { name: "Host", exact: true })).toHaveFocus();
});

test("Escape in the inspector returns to the row, and a move is announced with its position", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000062", TITLES);
  await selectEntry("Provider key");
  await title().click();
  await userEvent.keyboard("{Escape}");
  await expect.element(row("Provider key")).toHaveFocus();
  await userEvent.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await expect.element(page.getByText('Move "Provider key" down: position 3 of 3')).toBeInTheDocument();
  await expect.element(row("Provider key")).toHaveFocus();
});

test("shortcuts work from everywhere on the page but other text fields and dialogs", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000063", TITLES);
  page.getByRole("link", { name: "Skip to content" }).element().focus();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await userEvent.keyboard("{Alt>}2{/Alt}");
  await userEvent.keyboard("{Escape}");
  await expect.element(tab("Design")).toHaveAttribute("aria-selected", "true");
});

test("with a hundred settings, each add is focused at once and gets every letter that is typed at once", async () => {
  await open(
    "6f1b2c34-0000-4000-8000-000000000064",
    Array.from({ length: 95 }, (_, index) => `Setting ${index}`),
  );
  /** The frames that were drawn between each key press and its focus. */
  const waits: number[] = [];
  let frames = Infinity;
  const countFrames = () => {
    frames += 1;
    requestAnimationFrame(countFrames);
  };
  countFrames();
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "title") waits.push(frames);
  });
  for (let count = 0; count < 5; count += 1) {
    await row("Setting 3").click();
    const letters = `Typed at once ${count}`;
    frames = 0;
    for (const [type, key, altKey] of [
      ["keydown", "T", true],
      ...[...letters].map((letter) => ["keydown", letter, false] as const),
    ] as const)
      document.activeElement?.dispatchEvent(
        new KeyboardEvent(type, { key, altKey, shiftKey: altKey, bubbles: true, cancelable: true }),
      );
    await expect.element(title()).toHaveValue(letters);
    await expect.element(title()).toHaveFocus();
  }
  expect(waits).toHaveLength(5);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1);
});
