import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { OptionalHost } from "@/lib/contract/catalog/rights";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { router } from "@/tests/browser/next-navigation";
import { HostAccess, OptionalHostsNote } from "./optional-hosts";

const id = "018f0000-0000-7000-8000-000000000001";
const MAPS: OptionalHost = { host: "*.maps.example", purpose: "Map tiles" };
const refusedHost = (isBlocked: boolean): OptionalHost => ({
  host: `a-host-whose-name-is-long.${"sub-domain-".repeat(5)}x.example`,
  purpose: "Weather of the day of the damage",
  refused: { by: "Olive Harbor", at: new Date(Date.now() - 7_200_000).toISOString(), isBlocked },
});
const address = `PUT /api/installations/${id}/hosts`;
const access = (host: OptionalHost, mayRefuse: boolean) => (
  <HostAccess installationId={id} host={host} mayRefuse={mayRefuse} />
);

test("an owner refuses a host, and the page is read again", async () => {
  const refresh = vi.spyOn(router, "refresh");
  await renderPage(
    <>
      {access(MAPS, true)}
      {access(refusedHost(true), true)}
    </>,
    { answers: { [address]: new Response(null, { status: 204 }) } },
  );
  const [maps, weather] = [page.getByRole("switch").nth(0), page.getByRole("switch").nth(1)];
  await expect.element(maps).toBeChecked();
  await expect.element(weather).not.toBeChecked();
  await expect.element(page.getByText(/Refused by Olive Harbor .*Blocked for the app/)).toBeVisible();
  await checkAppearance("optional hosts");
  await maps.click({ force: true });
  await vi.waitFor(() => expect(refresh).toHaveBeenCalled());
  const [, init] = vi.mocked(fetch).mock.calls.at(-1) ?? [];
  expect(init?.body).toBe(JSON.stringify({ host: "*.maps.example", refused: true }));
});

test("others see who refused what and whether it is blocked, and what failed is said", async () => {
  const { unmount } = await renderPage(
    <>
      {access(MAPS, false)}
      {access(refusedHost(false), false)}
    </>,
  );
  await expect.element(page.getByText("Allowed")).toBeVisible();
  await expect
    .element(page.getByText(/Refused by Olive Harbor .*Not blocked: the app is only told/))
    .toBeVisible();
  expect(page.getByRole("switch").elements()).toHaveLength(0);
  await checkAppearance("optional hosts of others");
  await unmount();
  await renderPage(access(MAPS, true));
  await page.getByRole("switch").click({ force: true });
  await expect.element(page.getByText("Not found.")).toBeVisible();
});

// Guarantee: blocking is promised only where something blocks.
test("the note says what a refusal does", async () => {
  const { unmount } = await renderPage(<OptionalHostsNote count={2} mayRefuse={false} isGuarded />);
  await expect
    .element(page.getByText(/An owner can refuse them .* The platform blocks a host/))
    .toBeVisible();
  await unmount();
  await renderPage(<OptionalHostsNote count={1} mayRefuse isGuarded={false} />);
  await expect.element(page.getByText(/You can refuse it .* doesn't block/)).toBeVisible();
});
