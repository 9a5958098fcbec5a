import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { WrongAddress } from "./wrong-address";

afterEach(() => {
  delete document.documentElement.dataset.webUrl;
});

// Guarantee: at another address than the configured one, the page says so, and leads to the same page at the right one.
test("a page at a wrong address links to itself at the right one", async () => {
  document.documentElement.dataset.webUrl = "https://apps.example";
  await renderPage(<WrongAddress />, { path: "/sign-in?callbackUrl=%2Fhome" });
  const link = page.getByRole("link", { name: "https://apps.example" });
  await expect.element(link).toHaveAttribute("href", "https://apps.example/sign-in?callbackUrl=%2Fhome");
  await checkAppearance("wrong address");
});

test("at the right one, there is nothing to say", async () => {
  document.documentElement.dataset.webUrl = location.origin;
  await renderPage(<WrongAddress />);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
