import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isNotificationKind, NOTIFICATION_KINDS } from "@/lib/contract/platform/notification-kinds";
import {
  changedMail,
  confirmAddressMail,
  confirmSignUpMail,
  invitationMail,
  knownAddressMail,
  newPasswordMail,
  takenAddressMail,
  writeAccountMail,
} from "@/lib/server/accounts/account-mails";
import { newMasterKey, readKeyring } from "@/lib/server/platform/keyring";
import { writeNotificationMail } from "@/lib/server/platform/notifications/mail-pool";
import { AXE_COLOR_RULES, AXE_RULES } from "../browser/axe-rules";
import { launchOptions } from "../browser/find-chromium.mjs";
import { findViolations } from "../browser/find-violations";

const origin = "https://apps.harbor.example";
const link = `${origin}/new-password#${"x".repeat(43)}`;
const keyring = readKeyring(newMasterKey("test"));

const TITLES: Record<string, [title: string, body: string, count: number]> = {
  "review-submitted": [
    "Acme submitted version 1.4.0 of VIN autofill",
    "Fixes what you asked for. Please look at the key first.",
    1,
  ],
  "review-moved": [
    "Changes requested: version 1.4.0 of VIN autofill",
    "Explain what the provider key is for, and where customers get one.",
    1,
  ],
  comment: ["Maya Moss commented on VIN autofill", "Why does the app need the policyholder's birth date?", 3],
  version: ["Version 1.5.0 of VIN autofill is ready", "Launch it to test it, then submit it for review.", 1],
  "app-error": [
    "VIN autofill 1.4.0 stopped working",
    "The app exited with code 137. It was out of memory.",
    1_204,
  ],
  "refused-host": [
    "VIN autofill 1.4.0 can't connect to api.vin.example",
    'It is not a host that the app may connect to. To allow it, add this to core.hosts of the manifest: {"host":"api.vin.example","purpose":"Why the app needs it"}',
    1,
  ],
  "installation-error": [
    "Telematics for Production failed",
    "The start hook failed. It returned 500. The app said: no license",
    1,
  ],
  suspension: [
    `An app whose publisher chose ${"averyverylongname".repeat(5)} was suspended`,
    "It sent policy data to an address that its listing does not name.",
    1,
  ],
  delivery: ["Events could not be delivered to Telematics for Production", "It returned 400.", 100],
  invitation: [
    "Maya Moss invites you to Harbor Mutual as a publisher",
    "Ask them for the link, and open it to join.",
    1,
  ],
  membership: [
    "You are now an operator of Harbor Mutual",
    "Maya Moss changed your role from owner to operator.",
    1,
  ],
  "api-key": ["The API key “CI” expires in 7 days", "Rotate it before uploads are refused.", 1],
};

const mails = [
  ...Object.keys(NOTIFICATION_KINDS)
    .filter(isNotificationKind)
    .map((kind) => {
      const [title, body, count] = TITLES[kind] ?? [kind, "", 1];
      const person = {
        notificationId: "n",
        userId: "0198c000-0000-7000-8000-000000000001",
        href: "/home",
        at: "2026-01-15T12:00:00Z",
        zone: "Europe/Zurich",
      };
      return [
        kind,
        writeNotificationMail(keyring, origin, "harbor.example", { ...person, kind, title, body, count }),
      ] as const;
    }),
  ...Object.entries({
    "account-invitation": invitationMail({
      invitedBy: "Maya Moss",
      organizationName: `<script>alert("x")</script> & "Harbor"`,
      role: "publisher",
      href: `${origin}/invitations/${"x".repeat(43)}`,
    }),
    "account-confirm-sign-up": confirmSignUpMail(link),
    "account-known": knownAddressMail("Harbor Mutual", link),
    "account-known-joining": knownAddressMail("Harbor Mutual", link, true),
    "account-new-password": newPasswordMail(link),
    "account-confirm-address": confirmAddressMail(link),
    "account-taken-address": takenAddressMail(),
    "account-changed": changedMail("Your password was changed", "The password of your account was changed."),
  }).map(([name, mail]) => [name, writeAccountMail(origin, mail)] as const),
];

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions());
  page = await browser.newPage();
});
afterAll(() => browser.close());

// Guarantee: every email can be read on a phone and a desktop, in both themes, and runs nothing.
test.each(mails)("%s looks right", async (name, { html, text, subject }) => {
  expect(html).not.toMatch(/<table|<script|<img|<link| src=/i);
  expect(html).toContain("prefers-color-scheme");
  expect(text).toContain(subject);
  expect(text.split("\n").every((line) => !line.startsWith("<"))).toBe(true);
  await page.setContent(html);
  for (const [colorScheme, rules] of [
    ["light", AXE_RULES],
    ["dark", AXE_COLOR_RULES],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const where = `${name}, ${colorScheme}, ${width} px`;
      expect(await findViolations(page, rules), where).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${where}: it scrolls sideways`).toBeLessThanOrEqual(0);
      const folder = process.env.PLATFORM_SCREENSHOTS;
      if (folder)
        await page.screenshot({
          path: path.join(folder, `mail-${where.replaceAll(/[^a-z0-9]+/gi, "-")}.png`),
          fullPage: true,
        });
    }
  }
});
