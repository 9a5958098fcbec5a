import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { ErrorPage } from "@/components/surface/error-page";
import type { Availability } from "@/lib/contract/platform/availability";
import { DATABASE_AWAY } from "@/lib/contract/platform/availability";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AvailabilityProvider, AwayBanner } from "./availability";

const since = new Date(Date.now() - 180_000).toISOString();
const lacks = (...parts: Availability["away"][number]["part"][]): Availability => ({
  away: parts.map((part) => ({ part, since })),
});

async function renderBanner(answer: unknown, initial?: Availability) {
  return renderPage(
    <AvailabilityProvider initial={initial}>
      <AwayBanner />
      <h1>A page</h1>
    </AvailabilityProvider>,
    { answers: { "GET /api/availability": answer } },
  );
}

const banner = page.getByRole("alert");

// Guarantee: one notice says what is unavailable, since when, and what that means, in words that need no knowledge of the platform.
test.each([
  ["database", lacks("database"), "The platform's database is unavailable", "Pages can't be loaded or saved"],
  ["gateway", lacks("gateway"), "The platform's gateway is unavailable", "Apps can't be called"],
  [
    "worker",
    lacks("worker"),
    "The platform's worker is unavailable",
    "Nothing new starts or stops right now",
  ],
  [
    "gateway and worker",
    lacks("gateway", "worker"),
    "The platform's gateway and worker are unavailable",
    "events wait",
  ],
])("away: %s", async (name, answer, title, effect) => {
  await renderBanner(answer);
  await expect.element(banner).toHaveTextContent(title);
  await expect.element(banner).toHaveTextContent(effect);
  await expect.element(banner).toHaveTextContent("This began 3 minutes ago");
  await expect.element(banner).toHaveTextContent("It recovers automatically");
  expect(document.querySelectorAll("[role=alert]")).toHaveLength(1);
  await checkAppearance(`away, ${name}`);
});

test("while everything is there, nothing is shown, and what the server knew is shown at once", async () => {
  const { rerender } = await renderBanner(lacks());
  expect(document.querySelector("[role=alert]")).toBeNull();
  await rerender(<h1>Another page</h1>);
  await renderBanner(lacks("worker"), lacks("worker"));
  expect(document.querySelector("[role=alert]")?.textContent).toContain("worker is unavailable");
});

// Guarantee: the notice goes away by itself.
test("when the part is back, the notice is gone within seconds", { timeout: 20_000 }, async () => {
  await renderBanner(lacks("worker"));
  await expect.element(banner).toBeVisible();
  vi.mocked(fetch).mockImplementation(async () => Response.json(lacks()));
  await expect.poll(() => document.querySelector("[role=alert]"), { timeout: 10_000 }).toBeNull();
});

// Guarantee: a server that is unavailable can't say so. The page does.
test.each([
  ["nobody answers", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a proxy answers", async () => new Response("<html>", { status: 502 })],
  ["nothing is answered", (_url: unknown, init?: RequestInit) => silence(init?.signal ?? undefined)],
])("if %s, the platform can't be reached", { timeout: 30_000 }, async (name, answer) => {
  await renderBanner(lacks());
  await expect.element(page.getByRole("heading", { name: "A page" })).toBeVisible();
  vi.mocked(fetch).mockImplementation(answer);
  await expect
    .poll(() => document.querySelector("[role=alert]")?.textContent, { timeout: 20_000 })
    .toContain("The platform can't be reached");
  if (name === "nobody answers") await checkAppearance("away, web");
});

function silence(signal: AbortSignal | undefined): Promise<Response> {
  return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

// Guarantee: nobody is told that unsaved entries are safe, and whoever reports the error can name it.
test("the page of any other error says what is safe and what may be gone", async () => {
  const reset = vi.fn();
  const error = Object.assign(new Error("An error occurred."), { digest: "1234567890" });
  await renderPage(<ErrorPage error={error} reset={reset} />);
  await expect
    .element(banner)
    .toHaveTextContent(/Everything that you saved is safe\. Entries .* may be gone\./);
  await expect.element(banner).not.toHaveTextContent(/None of your data was lost|away/);
  await expect.element(banner).toHaveTextContent("report error 1234567890");
  await checkAppearance("page of an error");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => reset.mock.calls.length).toBe(1);
});

// Guarantee: a page that can't be loaded says what is unavailable, and loads by itself.
test(
  "the page of an error says that the database is unavailable, and tries again when it is back",
  { timeout: 20_000 },
  async () => {
    const reset = vi.fn();
    const error = Object.assign(new Error("An error occurred."), { digest: DATABASE_AWAY });
    await renderPage(<ErrorPage error={error} reset={reset} />, {
      answers: { "GET /api/availability": lacks("database") },
    });
    await expect.element(banner).toHaveTextContent("The platform's database is unavailable");
    await expect.element(banner).not.toHaveTextContent("error on our side");
    await checkAppearance("page without database");
    vi.mocked(fetch).mockImplementation(async () => Response.json(lacks()));
    await expect.poll(() => reset.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  },
);
