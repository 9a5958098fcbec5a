import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { SearchForm } from "./search-form";

const form = (value: string, keep: Record<string, string> = {}) => (
  <SearchForm path="/marketplace" label="Search apps" value={value} keep={keep} />
);
const box = () => page.getByRole("searchbox", { name: "Search apps" });

// Guarantee: the box says what the results are for, which the URL decides.
test("the box follows the URL", async () => {
  const { rerender } = await renderPage(form("vin"));
  await expect.element(box()).toHaveValue("vin");
  await checkAppearance("search form");
  await rerender(form(""));
  await expect.element(box()).toHaveValue("");
  await userEvent.fill(box(), "typed, and not searched for");
  await rerender(form("", { category: "CLAIMS" }));
  await expect.element(box()).toHaveValue("");
});

test("the box follows the URL of a page that the browser opens again", async () => {
  await renderPage(form(""));
  // Without it, browsers fill in what was typed before Back.
  await expect.element(box()).toHaveAttribute("autocomplete", "off");
  await userEvent.fill(box(), "vin");
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(box()).toHaveValue("");
});
