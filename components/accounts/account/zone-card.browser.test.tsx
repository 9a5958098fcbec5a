import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TimeFilter } from "@/components/platform/filters";
import { RelativeTime } from "@/components/ui/relative-time";
import { ZoneProvider } from "@/components/ui/zone";
import { browserZone, readZoneCookie, ZONE_COOKIE } from "@/lib/domain/platform/zone";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ZoneCard } from "./zone-card";

const AT = "2026-01-15T12:00:00Z";
const ZURICH = { zone: "Europe/Zurich", chosen: true };

afterEach(() => {
  document.cookie = `${ZONE_COOKIE}=; Path=/; Max-Age=0`;
});

const stored = () => {
  const [, value] = new RegExp(`${ZONE_COOKIE}=([^;]+)`).exec(document.cookie) ?? [];
  return readZoneCookie(value);
};

// Guarantee: a person has one zone, and it is named beside each time.
test("the zone that is chosen is kept, and times are written in it", async () => {
  await renderPage(
    <ZoneProvider personal={undefined}>
      <ZoneCard />
      <RelativeTime at={AT} />
    </ZoneProvider>,
    { answers: { "PUT /api/account/zone": {} } },
  );
  await expect.poll(stored).toEqual({ zone: browserZone(), chosen: false });
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("option", { name: "Europe/Zurich" }).click();
  await expect.poll(stored).toEqual(ZURICH);
  const time = () => document.querySelector("time")?.title;
  await expect.poll(time).toBe("15 Jan 2026, 13:00:00 (Europe/Zurich, UTC+1)");
  await checkAppearance("time zone");
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("option", { name: "The browser's" }).click();
  await expect.poll(stored).toEqual({ zone: browserZone(), chosen: false });
});

// Guarantee: what the account could not keep is not shown as chosen.
test("a zone that is not saved is not chosen", async () => {
  await renderPage(
    <ZoneProvider personal={ZURICH}>
      <ZoneCard />
    </ZoneProvider>,
  );
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await expect.element(page.getByText("Not found.")).toBeVisible();
  await expect.poll(stored).toEqual(ZURICH);
  await checkAppearance("time zone, not saved");
});

// Guarantee: the account's zone applies in each browser, at once.
test("another zone of the account replaces the one before", async () => {
  const show = (zone: string) => (
    <ZoneProvider personal={{ zone, chosen: true }}>
      <RelativeTime at={AT} />
    </ZoneProvider>
  );
  const { rerender } = await renderPage(show("Europe/Zurich"));
  await rerender(show("Asia/Tokyo"));
  const time = () => document.querySelector("time")?.title;
  await expect.poll(time).toBe("15 Jan 2026, 21:00:00 (Asia/Tokyo, UTC+9)");
  await expect.poll(stored).toEqual({ zone: "Asia/Tokyo", chosen: true });
});

// Guarantee: a range is of the person's zone, and can be one in which clocks change.
test("a range across a clock change is taken, and the filter names the zone", async () => {
  const change = vi.fn();
  await renderPage(
    <ZoneProvider personal={ZURICH}>
      <TimeFilter filter={{}} change={change} />
    </ZoneProvider>,
  );
  await page.getByRole("button", { name: "Any time" }).click();
  await page.getByLabelText("From").fill("2026-10-25T02:50");
  // The hour from 2 to 3 is twice.
  await page.getByLabelText("To").fill("2026-10-25T02:10");
  await expect.element(page.getByText("Times are in Europe/Zurich, UTC+2.")).toBeVisible();
  await checkAppearance("time filter across a clock change");
  await page.getByRole("button", { name: "Show this range" }).click();
  expect(change).toHaveBeenCalledWith({
    last: undefined,
    from: "2026-10-25T00:50:00.000Z",
    to: "2026-10-25T01:10:00.000Z",
  });
});
