import {
  test as base,
  expect,
  type APIRequestContext,
  type Page,
  type PlaywrightWorkerArgs,
} from "@playwright/test";
import { recordBrowser, recordContext, recordSession } from "./record-traffic";
import { startPlatform, type RunningPlatform } from "./start-platform";

export const DEMO_PASSWORD = "launch-the-demo";

/** One platform with its demo for all specs of the run, in containers where an engine answers. */
export const test = base.extend<object, { platform: RunningPlatform; recorded: void }>({
  recorded: [
    async ({ browser }, use) => {
      recordBrowser(browser);
      await use();
    },
    { scope: "worker", auto: true },
  ],
  context: async ({ context }, provide) => {
    recordContext(context);
    await provide(context);
  },
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

/** Opens an address and waits until its page answers to input. A network that changes meanwhile makes Chromium drop scripts. */
export async function open(page: Page, address: string): Promise<void> {
  const faults: string[] = [];
  const note = (fault: string) => faults.push(fault);
  page.on("requestfailed", (request) => note(`${request.url()} ${request.failure()?.errorText}`));
  page.on(
    "response",
    (response) => response.status() >= 400 && note(`${response.url()} ${response.status()}`),
  );
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  if (await isTakenOver(page)) return;
  console.log(
    `${address} was not taken over by its scripts in 10 s, and is loaded again: ${faults.join(", ")}`,
  );
  await page.reload();
  await page.waitForLoadState("networkidle");
}

/** React marks the elements that it answers for. */
function isTakenOver(page: Page): Promise<boolean> {
  const isMarked = () =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactFiber"));
  return page.waitForFunction(isMarked, undefined, { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
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
export async function signInSession(
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
  recordSession(context);
  if (email === undefined) return context;
  const { csrfToken } = await context.get("/api/auth/csrf").then((answer) => answer.json());
  const answer = await context.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return context;
}
