import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ReviewQueue } from "@/components/moderation/review-queue";
import { SelectField } from "@/components/ui/forms/select-field";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ShellSearch } from "./shell-search";

const found = {
  groups: [
    {
      title: "Installations",
      entries: [{ href: "/installations/7", text: "VIN autofill", detail: "Harbor production" }],
    },
    {
      title: "Apps",
      entries: [{ href: "/marketplace/acme/vin-autofill", text: "VIN autofill", detail: "Acme Apps" }],
    },
  ],
};

const open = (answers: Record<string, unknown> = {}) =>
  renderPage(<ShellSearch allowed={["/home", "/installations", "/tenants", "/docs"]} />, {
    answers: { "GET /api/search?q=vin": found, ...answers },
  });
const press = (keys: string) => userEvent.keyboard(keys);

// Guarantee: everything works without a pointer, and each entry says what it is.
test("the palette is opened, searched and left by keyboard", async () => {
  await open();
  await press("{Control>}k{/Control}");
  const search = page.getByRole("searchbox", { name: /Search pages/ });
  await expect.element(search).toHaveFocus();
  await expect.element(page.getByRole("menuitem", { name: "Tenants" })).toBeVisible();
  await checkAppearance("palette, nothing typed");
  await press("vin");
  await expect.element(page.getByRole("menuitem", { name: /VIN autofill/ }).first()).toBeVisible();
  await checkAppearance("palette, found");
  // One request for what was typed, not one for each key.
  const asked = vi.mocked(fetch).mock.calls.filter(([url]) => String(url).includes("/api/search"));
  expect(asked).toHaveLength(1);
  await press("{Escape}{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("nothing found is said", async () => {
  await open({ "GET /api/search?q=zzz": { groups: [] } });
  await page.getByRole("button", { name: "Search" }).click();
  await press("zzz");
  await expect.element(page.getByText(/Nothing found\. Check the spelling/)).toBeVisible();
  await checkAppearance("palette, nothing found");
});

// Guarantee: Enter opens the first result of what was typed, however fast somebody types.
test("Enter waits for the results", async () => {
  const before = { title: "Apps", entries: [{ href: "/marketplace/acme/other", text: "Other", detail: "" }] };
  await open({ "GET /api/search?q=vi": { groups: [before] } });
  await press("{Control>}k{/Control}");
  await expect.element(page.getByRole("searchbox")).toHaveFocus();
  await press("vi");
  await expect.element(page.getByRole("menuitem", { name: "Other" })).toBeVisible();
  // The result of what was typed before is still shown.
  await press("n{Enter}");
  await expect.poll(() => location.pathname).toBe("/installations/7");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

// Guarantee: pages are searched as everything else is.
test("how a page's name is written makes no difference", async () => {
  const typed = "ＩＮ-stallations";
  await open({ [`GET /api/search?${new URLSearchParams({ q: typed })}`]: { groups: [] } });
  await press("{Control>}k{/Control}");
  await page.getByRole("searchbox").fill(typed);
  await expect.element(page.getByRole("menuitem", { name: "Tenants" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("menuitem", { name: "Installations" })).toBeVisible();
});

test("pages beside those of the navigation are found by name, if the user may open them", async () => {
  const answers = { "GET /api/search?q=no": { groups: [] } };
  await renderPage(<ShellSearch allowed={["/home", "/notifications"]} />, { answers });
  await press("{Control>}k{/Control}");
  await expect.element(page.getByRole("menuitem", { name: "Home" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Notifications" })).not.toBeInTheDocument();
  await press("no");
  await expect.element(page.getByRole("menuitem", { name: "Notifications" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Notification settings" })).not.toBeInTheDocument();
});

// Guarantee: also after a correction or a paste, when no result is highlighted.
test("Enter opens what a corrected text finds", async () => {
  await open();
  await press("{Control>}k{/Control}");
  const search = page.getByRole("searchbox");
  await expect.element(search).toHaveFocus();
  await press("vinn{Backspace}");
  await expect.element(page.getByRole("menuitem", { name: /VIN autofill/ }).first()).toBeVisible();
  await press("{Enter}");
  await expect.poll(() => location.pathname).toBe("/installations/7");
});

test("somebody who types on after Enter has changed their mind", async () => {
  await open({ "GET /api/search?q=vinx": { groups: [] } });
  await press("{Control>}k{/Control}");
  await expect.element(page.getByRole("searchbox")).toHaveFocus();
  await press("vin{Enter}x");
  await expect.element(page.getByText(/Nothing found/).first()).toBeVisible();
  expect(location.pathname).toBe("/");
});

test("a single letter is too short to find anything but pages", async () => {
  await open();
  await press("{Control>}k{/Control}");
  await expect.element(page.getByRole("searchbox")).toHaveFocus();
  await press("z");
  await expect.element(page.getByText("Type at least 2 characters.").first()).toBeVisible();
  await expect.element(page.getByText(/Nothing found/)).not.toBeInTheDocument();
});

// Guarantee: what is typed into a search stays there. The palette passes its keys on to the list below it.
test("a question mark is typed like any other character", async () => {
  localStorage.clear();
  await open({ "GET /api/search?q=%3Fwhat%3F": { groups: [] } });
  await press("{Control>}k{/Control}");
  const search = page.getByRole("searchbox", { name: /Search pages/ });
  await expect.element(search).toHaveFocus();
  await press("?what?");
  await expect.element(search).toHaveValue("?what?");
  await expect.element(page.getByRole("dialog", { name: "Keyboard shortcuts" })).not.toBeInTheDocument();
});

test("a question mark in the search of a menu is typed, too", async () => {
  localStorage.clear();
  const names = Array.from({ length: 9 }, (_, at) => ({ value: `${at}`, text: `Tenant ${at}` }));
  await renderPage(
    <>
      <ShellSearch allowed={["/home"]} />
      <SelectField label="Tenant" options={names} />
    </>,
  );
  await page.getByRole("button", { name: /Tenant/ }).click();
  const search = page.getByRole("searchbox", { name: "Search tenant" });
  await expect.element(search).toHaveFocus();
  await press("?");
  await expect.element(search).toHaveValue("?");
  await expect.element(page.getByRole("dialog", { name: "Keyboard shortcuts" })).not.toBeInTheDocument();
});

test("? lists the shortcuts, unless somebody types or has turned it off", async () => {
  localStorage.clear();
  await open();
  await press("?");
  await expect.element(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await checkAppearance("keyboard shortcuts");
});

// Guarantee: there is one list, which also has what the open page adds.
test("? lists the shortcuts of the moderation queue with those of every page", async () => {
  localStorage.clear();
  const queue = (isOpen: boolean) => (
    <>
      <ShellSearch allowed={["/moderation"]} />
      {isOpen && <ReviewQueue reviews={[]} />}
    </>
  );
  const { rerender } = await renderPage(queue(true));
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const show of [
    () => press("?"),
    () => page.getByRole("button", { name: "Keyboard shortcuts" }).click(),
  ]) {
    await show();
    await expect.element(list.getByText("Claim or release the review")).toBeVisible();
    await expect.element(list.getByText("Close a dialog or menu")).toBeVisible();
    expect(list.elements()).toHaveLength(1);
    await press("{Escape}");
    await expect.element(list).not.toBeInTheDocument();
  }
  await rerender(queue(false));
  await press("?");
  await expect.element(list.getByText("Close a dialog or menu")).toBeVisible();
  await expect.element(list.getByText("Claim or release the review")).not.toBeInTheDocument();
});
