import {
  test as base,
  expect,
  type APIRequestContext,
  type Page,
  type PlaywrightWorkerArgs,
} from "@playwright/test";
import { startPlatform, type RunningPlatform } from "./start-platform";

export const DEMO_PASSWORD = "launch-the-demo";

/** One platform with its demo for all specs of the run, in containers where an engine answers. */
export const test = base.extend<object, { platform: RunningPlatform }>({
  platform: [
    async ({}, use) => {
      const platform = await startPlatform("auto");
      await use(platform);
      await platform.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

export { expect };

/** Opens an address and waits until its page answers to input: what is typed before React took over is lost. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForLoadState("networkidle");
}

/** Signs in on the page, as a person does. */
export async function signInAs(
  page: Page,
  webUrl: string,
  email: string,
  password = DEMO_PASSWORD,
): Promise<void> {
  await open(page, `${webUrl}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).not.toHaveURL(/sign-in/);
}

/** A request context with a person's session, for what is asked without a page. */
export async function sessionOf(
  playwright: PlaywrightWorkerArgs["playwright"],
  webUrl: string,
  email?: string,
  password = DEMO_PASSWORD,
): Promise<APIRequestContext> {
  const context = await playwright.request.newContext({
    baseURL: webUrl,
    extraHTTPHeaders: { origin: webUrl },
    maxRedirects: 0,
  });
  if (email === undefined) return context;
  const { csrfToken } = await context.get("/api/auth/csrf").then((answer) => answer.json());
  const answer = await context.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return context;
}
