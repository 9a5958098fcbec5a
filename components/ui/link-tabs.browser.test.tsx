import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { LinkTabs } from "./link-tabs";

const tabs = ["Reviews", "Listings", "Reports", "Usage", "Isolation", "Operation", "Audit trail"].map(
  (text) => ({
    href: `/moderation/${text.toLowerCase().replace(" ", "-")}`,
    text,
  }),
);

// Guarantee: on a phone, the open tab is in sight, and so is every tab that has the focus, with its ring.
test("a row of many tabs scrolls to the open one, and with the focus", async () => {
  await page.viewport(390, 800);
  await renderPage(<LinkTabs label="Moderation" tabs={tabs} />, { path: "/moderation/audit-trail" });
  const row = page.getByRole("navigation", { name: "Moderation" }).element();
  const isWithin = (element: Element) => {
    const [part, whole] = [element.getBoundingClientRect(), row.getBoundingClientRect()];
    return part.left >= whole.left && part.right <= whole.right + 0.5;
  };
  await expect.poll(() => isWithin(page.getByRole("link", { name: "Audit trail" }).element())).toBe(true);
  for (const link of page.getByRole("link").elements()) {
    if (link instanceof HTMLElement) link.focus();
    await expect.poll(() => isWithin(link)).toBe(true);
  }
  await checkAppearance("tabs, many", [390]);
});
