import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { NotificationView } from "@/lib/contract/platform/notification";
import { isNotificationKind, NOTIFICATION_KINDS } from "@/lib/contract/platform/notification-kinds";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { Bell } from "./bell";
import { MarkAllRead, NotificationList } from "./notification-list";
import { PreferencesCard } from "./notification-preferences";

const kinds = Object.keys(NOTIFICATION_KINDS).filter(isNotificationKind);
const TITLES = [
  "Acme submitted VIN autofill 1.4.0 for review",
  "VIN autofill 1.4.0 was approved",
  "Maya Moss commented on the review of VIN autofill",
  "VIN autofill 1.5.0 is ready to submit",
  "VIN autofill 1.4.0 keeps stopping",
  "Telematics for Production failed",
  "A very long app name that a publisher chose without thinking of phones was suspended by a moderator",
  "3 events could not be delivered to Telematics",
  "Harbor Mutual invited you",
];
const all: NotificationView[] = kinds.map((kind, index) => ({
  id: `0198c000-0000-7000-8000-00000000000${index}`,
  kind,
  title: TITLES[index] ?? kind,
  body: index % 2 === 0 ? "The reason: it asks for a provider key that nobody outside the company has." : "",
  href: "/home",
  count: index === 4 ? 1204 : 1,
  at: new Date(Date.now() - index * 3_600_000).toISOString(),
  read: index > 4,
  elsewhere: index === 5 ? { id: "o", name: "Harbor Mutual" } : null,
}));

const sent = () =>
  vi.mocked(fetch).mock.calls.flatMap(([path, init]) => (init?.method === "GET" ? [] : [[path, init?.body]]));

async function renderBell(notifications: NotificationView[], unread: number) {
  await page.viewport(1440, 900);
  await renderPage(<Bell />, {
    answers: {
      "GET /api/notifications": { notifications, unread, isFirst: true },
      "POST /api/notifications/read": new Response(null, { status: 204 }),
    },
  });
  vi.spyOn(globalThis, "fetch");
}

test("the bell counts what is unread and opens the newest", async () => {
  await renderBell(all, 5);
  const bell = page.getByRole("button", { name: "Notifications, 5 unread" });
  await expect.element(bell).toBeVisible();
  await bell.click();
  const dialog = page.getByRole("dialog", { name: "Notifications" });
  await expect.element(dialog.getByText("1,204 times")).toBeVisible();
  await checkAppearance("bell, open");
});

test("more than 99 are not counted further", async () => {
  await renderBell(all, 100);
  await expect.element(page.getByRole("button", { name: "Notifications, 99+ unread" })).toBeVisible();
  await checkAppearance("bell, closed");
});

test("an empty bell says what will be there", async () => {
  await renderBell([], 0);
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
  await expect.element(page.getByText("No notifications")).toBeVisible();
  await checkAppearance("bell, empty");
});

/** A bell that was pressed before its first answer. */
async function openBell(answer: () => Promise<Response>) {
  await page.viewport(1440, 900);
  await renderPage(<Bell />);
  vi.stubGlobal("fetch", answer);
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
}

test("until they are known, the bell says that they are loading", async () => {
  await openBell(() => new Promise(() => {}));
  await expect.element(page.getByText("Loading notifications…")).toBeInTheDocument();
  await expect.element(page.getByText("No notifications")).not.toBeInTheDocument();
  await checkAppearance("bell, loading");
});

// Guarantee: a bell that can't load says why, and never that there is nothing.
test("a bell that can't load says why, and tries again", async () => {
  const detail = "The platform is busy. Try again in a moment.";
  let isBusy = true;
  await openBell(async () =>
    isBusy
      ? Response.json({ code: "OVERLOADED", title: "Overloaded", detail }, { status: 503 })
      : Response.json({ notifications: all, unread: 5, isFirst: true }),
  );
  const dialog = page.getByRole("dialog", { name: "Notifications" });
  await expect.element(dialog.getByText(detail)).toBeVisible();
  await expect.element(page.getByText("No notifications")).not.toBeInTheDocument();
  await checkAppearance("bell, failed");
  isBusy = false;
  await dialog.getByRole("button", { name: "Try again" }).click();
  await expect.element(dialog.getByText(TITLES[0] ?? "")).toBeVisible();
  await expect.element(page.getByText(detail)).not.toBeInTheDocument();
});

// Guarantee: opening a notification reads it, and reading all reads no more than what was seen.
test("opening one marks it as read; all marks up to the newest shown", async () => {
  await renderBell(all, 5);
  await page.getByRole("button", { name: "Notifications, 5 unread" }).click();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect.poll(sent).toEqual([["/api/notifications/read", JSON.stringify({ until: all[0]?.at })]]);
  await page.getByRole("link", { name: TITLES[1] }).click();
  await expect.poll(sent).toHaveLength(2);
  expect(sent()[1]).toEqual(["/api/notifications/read", JSON.stringify({ ids: [all[1]?.id] })]);
});

test("the page lists every kind", async () => {
  await renderPage(
    <>
      <MarkAllRead until={new Date().toISOString()} />
      <NotificationList notifications={all} />
    </>,
  );
  await expect.element(page.getByRole("link", { name: TITLES[6] })).toBeVisible();
  await checkAppearance("notifications");
});

test("a preference that can't be saved goes back and says why", async () => {
  const preferences = kinds.map((kind) => ({ kind, inProduct: true, email: NOTIFICATION_KINDS[kind].email }));
  await renderPage(<PreferencesCard preferences={preferences} email="maya@harbor.example" sendsMail />);
  await checkAppearance("notification settings");
  const versions = page.getByRole("group", { name: "Versions" }).getByRole("checkbox", { name: "Email" });
  await page.getByRole("group", { name: "Versions" }).getByText("Email").click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(versions).not.toBeChecked();
});

test("without a mail server the page says so", async () => {
  await renderPage(<PreferencesCard preferences={[]} email="maya@harbor.example" sendsMail={false} />);
  await expect.element(page.getByText("emails are not sent")).toBeVisible();
});
