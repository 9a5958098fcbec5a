/** Signing in, also for users who type faster than the page loads. */
import { DEMO_PASSWORD, expect, test } from "./fixtures";

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
