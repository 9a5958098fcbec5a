import { test as base, expect, type Page, type Request } from "@playwright/test";
import { recordBrowser, recordContext, recordSession } from "./record-traffic";
import type { RunningPlatform } from "./start-platform";

export const DEMO_PASSWORD = "launch-the-demo";

/** All specs share the platform that global-setup.ts started. */
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
      const platform: RunningPlatform = JSON.parse(process.env.PLATFORM_E2E ?? "");
      await use(platform);
    },
    { scope: "worker" },
  ],
});

export { expect };

/** Opens a page and waits until React answers for all of its controls. A page that doesn't get there fails the test. */
export async function open(page: Page, url: string): Promise<void> {
  const failures: string[] = [];
  const onRequestFailed = (request: Request) =>
    failures.push(`${request.url()} ${request.failure()?.errorText}`);
  page.on("requestfailed", onRequestFailed);
  await page.goto(url);
  await hydrated(page).catch(() => {
    throw new Error(`${url} did not hydrate in 20 s. Failed requests: ${failures.join(", ") || "none"}`);
  });
  page.off("requestfailed", onRequestFailed);
}

/** Opens a tab of an installation's page. */
export async function openTab(
  page: Page,
  name: "Overview" | "Calls" | "Configuration" | "Settings",
): Promise<void> {
  const tab = page.getByRole("navigation", { name: "Installation" }).getByRole("link", { name });
  await tab.click();
  await expect(tab).toHaveAttribute("aria-current", "page");
}

/** React marks the elements that it answers for. */
export async function hydrated(page: Page): Promise<void> {
  const isHydrated = () => {
    const main = document.querySelector("main");
    const controls = main?.querySelectorAll("a, button, input, textarea") ?? [];
    return (
      main !== null &&
      [main, ...controls].every(
        (element) =>
          element.closest(".cm-editor") !== null ||
          Object.keys(element).some((key) => key.startsWith("__reactFiber")),
      )
    );
  };
  // A look at every control in each frame would take the time that the page needs.
  await page.waitForFunction(isHydrated, undefined, { timeout: 20_000, polling: 50 });
}

/** Gives the page's context the session of a user. The sign-in page has its own spec. */
export async function signInAs(
  page: Page,
  webUrl: string,
  email: string,
  password = DEMO_PASSWORD,
): Promise<void> {
  const session = page.context().request;
  recordSession(session);
  const { csrfToken } = await (await session.get(`${webUrl}/api/auth/csrf`)).json();
  const answer = await session.post(`${webUrl}/api/auth/callback/credentials`, {
    headers: { origin: webUrl },
    form: { csrfToken, email, password, json: "true" },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Sends a test call of the demo customer. Only the state can have given the app what it returns. */
export async function sendDemoAutofill(page: Page, webUrl: string): Promise<void> {
  await signInAs(page, webUrl, "harbor@demo.example");
  await open(page, `${webUrl}/installations`);
  await page.getByRole("link", { name: /VIN autofill/ }).click();
  await expect(page).toHaveURL(/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
  await openTab(page, "Calls");
  await page.getByRole("button", { name: "Open console" }).click();
  await page.getByRole("button", { name: "Send test call" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result).toContainText('"make": "Honda"');
  // From the settings in the state record:
  await expect(result).toContainText("Ahoy from Harbor Mutual");
  // From the core, with the token of the state record:
  await expect(result).toContainText('"policyHolder"');
  await expect(result).toContainText(/The app read its state once.*\d+ ms after it was sent/);
  await expect(result).toContainText("It read revision 1");
}
