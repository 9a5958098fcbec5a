/** Signing in, also for users who type faster than the page loads. */
import { DEMO_PASSWORD, expect, open, signInAs, test } from "./fixtures";

test("a form submitted before the page's scripts load signs in as soon as they do", async ({
  platform,
  page,
}) => {
  let deliver = () => {};
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${platform.webUrl}/sign-in`, { waitUntil: "commit" });
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Password", { exact: true });
  await email.fill("publisher@demo.example");
  await password.fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await password.press("Enter");
  await expect(email).toHaveValue("publisher@demo.example");
  deliver();
  await expect(page).toHaveURL(/\/home$/);
});

// Guarantee: an address that leads to the sign-out page leads to no other site.
test("signing out leads to the page that was asked for, and never to another site", async ({
  platform: { webUrl },
  page,
}) => {
  const hostile = [
    "//evil.example",
    "///evil.example",
    "https://evil.example",
    `${webUrl}.evil.example`,
    `${webUrl}@evil.example`,
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
    "/%0d%0aset-cookie:%20a=b\r\nlocation: https://evil.example",
  ];
  const sign = (next: string) => `${webUrl}/sign-out?${new URLSearchParams({ next })}`;
  // Whoever is signed out already is redirected at once.
  for (const next of hostile) {
    await page.goto(sign(next));
    expect(new URL(page.url()).origin, next).toBe(webUrl);
  }
  await signInAs(page, webUrl, "harbor@demo.example");
  await open(page, sign("//evil.example"));
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${webUrl}/`);
  await signInAs(page, webUrl, "harbor@demo.example");
  await open(page, sign("/tenants?q=x"));
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  // The page asks who wants to see it, and opens for the next account.
  await expect(page).toHaveURL(`${webUrl}/sign-in?callbackUrl=${encodeURIComponent("/tenants?q=x")}`);
});
