import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { SessionView } from "@/lib/contract/accounts/account";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ProfileCard } from "./profile-card";
import { SecondFactorCard } from "./second-factor-card";
import { IdentityCard, PasswordCard, SessionsCard } from "./sign-in-cards";

const done = new Response(null, { status: 204 });
const wrongPassword = () =>
  Response.json(
    {
      code: "BAD_INPUT",
      detail: "This is not your current password.",
      issues: [{ code: "wrong", pointer: "/currentPassword", message: "This is not your current password." }],
    },
    { status: 400 },
  );
const SETUP = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/App%20Hosting%20Platform:ada@acme.example?issuer=App%20Hosting%20Platform&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
};
const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-2345-ijk${"lmnopqrstu"[at]}`);

test("the address changes once it is confirmed", async () => {
  await renderPage(<ProfileCard name="Ada Lovelace" email="ada@acme.example" sendsMail />, {
    answers: { "POST /api/account/email": { outcome: "MAILED" } },
  });
  await checkAppearance("account, profile");
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabelText("New email").fill("ada@new.example");
  await page.getByLabelText("Current password", { exact: true }).fill("tidal lantern orbit");
  await checkAppearance("account, change email");
  await page.getByRole("button", { name: "Send confirmation" }).click();
  await expect.element(page.getByText("We sent a link to ada@new.example.")).toBeVisible();
  await expect.element(page.getByText("ada@acme.example")).toBeVisible();
});

// Guarantee: what was typed is not lost when the platform refuses it, and the reason is at its field.
test("a wrong current password is shown at its field", async () => {
  await renderPage(<PasswordCard />, { answers: { "PUT /api/account/password": wrongPassword() } });
  await page.getByLabelText("Current password", { exact: true }).fill("not this one");
  await page.getByLabelText("New password", { exact: true }).fill("copper window sky");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect.element(page.getByText("This is not your current password.")).toBeVisible();
  await expect.element(page.getByLabelText("New password", { exact: true })).toHaveValue("copper window sky");
  await checkAppearance("account, wrong current password");
});

test("two-factor sign-in is set up with a QR code, and shows its recovery codes once", async () => {
  await renderPage(<SecondFactorCard recoveryCodesLeft={0} requiredBy="Acme" />, {
    answers: {
      "POST /api/account/second-factor": SETUP,
      "PUT /api/account/second-factor": { recoveryCodes: CODES },
    },
  });
  await checkAppearance("account, second factor required");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByLabelText("Current password", { exact: true }).fill("tidal lantern orbit");
  await checkAppearance("account, second factor password");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.element(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  await checkAppearance("account, second factor QR code");
  await page.getByLabelText("Code", { exact: true }).fill("123 456");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect.element(page.getByText(CODES[0] ?? "")).toBeVisible();
  await checkAppearance("account, recovery codes");
  await page.getByRole("button", { name: "I saved them" }).click();
  expect(document.body.textContent).not.toContain(CODES[0]);
});

test("a user who runs out of recovery codes is notified", async () => {
  await renderPage(<SecondFactorCard since="2026-01-05T08:00:00Z" recoveryCodesLeft={1} />, {
    answers: { "POST /api/account/second-factor/remove": wrongPassword() },
  });
  await expect.element(page.getByText("1 recovery code left.")).toBeVisible();
  await checkAppearance("account, second factor on");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByLabelText("Current password", { exact: true }).fill("not this one");
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect.element(page.getByText("This is not your current password.")).toBeVisible();
});

const session = (id: string, more: Partial<SessionView>): SessionView => ({
  id,
  device: "Firefox on Linux",
  network: "203.0.113.7",
  signedInBy: "PASSWORD",
  createdAt: new Date(Date.now() - 3_600_000).toISOString(),
  lastSeenAt: new Date().toISOString(),
  current: false,
  ...more,
});

test("sessions are listed, and all but this one can be ended", async () => {
  const sessions = [
    session("1", { current: true }),
    session("2", { device: "Safari on iPhone", network: "2001:db8:1:2", signedInBy: "OIDC" }),
    session("3", { device: "Unknown device", network: "" }),
  ];
  await renderPage(<SessionsCard sessions={sessions} />, {
    answers: { "DELETE /api/account/sessions/2": done },
  });
  await checkAppearance("account, sessions");
  expect(page.getByRole("button", { name: /^End session/ }).elements()).toHaveLength(2);
  await page.getByRole("button", { name: "End session of Safari on iPhone" }).click();
  expect(document.querySelector("[role=alert]")).toBeNull();
  await page.getByRole("button", { name: "End all others" }).click();
  await expect.element(page.getByRole("alert")).toBeVisible();
});

test("an identity that belongs to another account is explained", async () => {
  await renderPage(<IdentityCard name="Acme ID" identities={[]} linkedElsewhere />);
  await checkAppearance("account, identity elsewhere");
  await expect.element(page.getByRole("button", { name: "Connect" })).toBeVisible();
});

test("a connected identity can be disconnected", async () => {
  const identities = [{ email: "ada@acme.example", since: "2026-01-05T08:00:00Z" }];
  await renderPage(<IdentityCard name="Acme ID" identities={identities} linkedElsewhere={false} />, {
    answers: { "DELETE /api/account/identities": done },
  });
  await checkAppearance("account, identity connected");
  await page.getByRole("button", { name: "Disconnect" }).click();
});
