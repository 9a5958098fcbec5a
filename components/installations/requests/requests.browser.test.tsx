import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AllowButton, LaunchRulesCard } from "./launch-rules";
import { ApprovedNotice, type AskedRequest, RequestForm } from "./request-form";
import { RequestList, type RequestRow } from "./request-list";

const sent = () =>
  vi
    .mocked(fetch)
    .mock.calls.map(([url, init]) => [init?.method, url, JSON.parse(String(init?.body ?? "null"))]);
const done = () => new Response(null, { status: 204 });
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

const VERSION = "019f0000-0000-7000-8000-000000000001";
const PRODUCTION = "019f0000-0000-7000-8000-000000000002";
const STAGING = "019f0000-0000-7000-8000-000000000003";
const offer = {
  versionId: VERSION,
  number: "1.4.0",
  title: "VIN autofill",
  name: "acme/vin-autofill",
  tenants: [
    { id: PRODUCTION, name: "Production", hostName: "harbor.core.example" },
    { id: STAGING, name: "Staging", hostName: "staging.core.example" },
    { id: "t3", name: "Old", hostName: "old.core.example", installedAs: "i1" },
  ],
};

const asked: AskedRequest = {
  id: "r1",
  tenantId: PRODUCTION,
  tenantName: "Production",
  state: "OPEN",
  answer: "",
  createdAt: ago(2),
  validUntil: null,
  isUsed: false,
  isUsable: false,
};

test("a member asks for an app with a reason, and what is missing is marked", async () => {
  await renderPage(<RequestForm offer={offer} asksToAllow={false} requests={[]} />, {
    path: "/launch/acme/vin-autofill",
    answers: { "POST /api/launch-requests": Response.json({ requestId: "r1" }, { status: 201 }) },
  });
  await page.getByRole("button", { name: "Send request" }).click();
  await expect.element(page.getByText("Explain why you need the app.")).toBeVisible();
  await expect.element(page.getByText("Choose a tenant.")).toBeVisible();
  await checkAppearance("request to launch, incomplete");
  await page.getByRole("button", { name: /Tenant/ }).click();
  // One that has the app is not offered.
  expect(page.getByRole("option").elements()).toHaveLength(2);
  await page.getByRole("option", { name: /Staging/ }).click();
  await page.getByRole("textbox", { name: /Why do you need it/ }).fill("For renewals.");
  await page.getByRole("button", { name: "Send request" }).click();
  const body = { versionId: VERSION, tenantId: STAGING, note: "For renewals." };
  await expect.poll(sent).toEqual([["POST", "/api/launch-requests", body]]);
});

test("a refused request keeps what was typed", async () => {
  const detail = "Its publisher now offers this app only to organizations that it names.";
  await renderPage(
    <RequestForm offer={{ ...offer, tenants: offer.tenants.slice(0, 1) }} asksToAllow requests={[]} />,
    {
      answers: {
        "POST /api/launch-requests": Response.json({ code: "NOT_ALLOWED", detail }, { status: 403 }),
      },
    },
  );
  const note = page.getByRole("textbox", { name: /Why do you need it/ });
  await note.fill("For renewals.");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect.element(page.getByText(detail)).toBeVisible();
  await expect.element(note).toHaveValue("For renewals.");
  await checkAppearance("request to launch and allow, refused");
});

test("a member sees what waits, what was declined, and what is approved", async () => {
  const declined = {
    ...asked,
    id: "r2",
    tenantId: STAGING,
    tenantName: "Staging",
    state: "DECLINED" as const,
  };
  const { unmount } = await renderPage(
    <RequestForm
      offer={{ ...offer, tenantSearch: { typed: "" } }}
      asksToAllow={false}
      requests={[asked, { ...declined, answer: "We use another app." }]}
    />,
  );
  await expect.element(page.getByText("You asked to launch it for Production")).toBeVisible();
  await expect.element(page.getByText("We use another app.")).toBeVisible();
  await checkAppearance("request to launch, waiting and declined");
  await unmount();
  const approved = { ...asked, state: "APPROVED" as const, isUsable: true, answer: "Use Europe." };
  await renderPage(<ApprovedNotice name="acme/vin-autofill" link="x" requests={[approved]} />);
  await expect.element(page.getByText("Approved for Production")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Ask for another tenant" }))
    .toHaveAttribute("href", "/launch/acme/vin-autofill?ask=1&link=x");
  await checkAppearance("launch, approved");
});

const row: RequestRow = {
  ...{ id: "r1", state: "OPEN", title: "VIN autofill", publisherSlug: "acme", appName: "vin-autofill" },
  ...{ number: "1.4.0", tenantName: "Production", requester: "Odile Mora", note: "For renewals.\nSoon." },
  ...{ answer: "", decider: null, createdAt: ago(2), endedAt: null, validUntil: null, usedAt: null },
  ...{ mayDecide: true, mayWithdraw: false },
  rights: { permissions: [{ name: "policies:read", purpose: "Reads the vehicle" }], hosts: null },
};
const ended = { mayDecide: false, decider: "Hana Ito", endedAt: ago(1) };
const rows: RequestRow[] = [
  row,
  { ...row, id: "r2", mayDecide: false, mayWithdraw: true },
  { ...row, ...ended, id: "r3", state: "APPROVED", validUntil: ago(-24 * 29), answer: "Use Europe." },
  { ...row, ...ended, id: "r4", state: "APPROVED", usedAt: ago(1) },
  { ...row, ...ended, id: "r5", state: "DECLINED", answer: "We use another app." },
  { ...row, ...ended, id: "r6", state: "OUTDATED", decider: null, answer: "The app was suspended." },
];

test("the list of requests has each state", async () => {
  await renderPage(<RequestList requests={rows} enforcement={null} />);
  expect(page.getByRole("button", { name: "Approve" }).elements()).toHaveLength(1);
  expect(page.getByRole("button", { name: "Withdraw" }).elements()).toHaveLength(1);
  await checkAppearance("requests to launch");
});

// Guarantee: a member always learns why.
test("an owner declines with a note only, and approves with or without one", async () => {
  await renderPage(<RequestList requests={[row]} enforcement={null} />, {
    answers: { "POST /api/launch-requests/r1/decision": done() },
  });
  await page.getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect
    .element(dialog.getByText("Explain why you decline, so that the member knows what to do."))
    .toBeVisible();
  expect(sent()).toEqual([]);
  await checkAppearance("requests to launch, decline");
  await dialog.getByRole("textbox", { name: "Note" }).fill("Not now.");
  await dialog.getByRole("button", { name: "Decline" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  const decision = (body: object) => ["POST", "/api/launch-requests/r1/decision", body];
  await expect
    .poll(sent)
    .toEqual([
      decision({ decision: "decline", note: "Not now." }),
      decision({ decision: "approve", note: "" }),
    ]);
});

// Guarantee: an owner reads what the app may do before approving it for the organization.
test("an owner who approves sees what the app may do", async () => {
  await renderPage(<RequestList requests={[row]} enforcement="guard" />);
  await page.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("Reads the vehicle")).toBeVisible();
  await expect.element(dialog.getByText("Connect to any host on the internet")).toBeVisible();
  await checkAppearance("requests to launch, approve");
});

test("a decision that came too late says so", async () => {
  const detail = "This request was already approved. Reload the page.";
  await renderPage(<RequestList requests={[row]} enforcement={null} />, {
    answers: {
      "POST /api/launch-requests/r1/decision": Response.json(
        { code: "WRONG_STATE", detail },
        { status: 409 },
      ),
    },
  });
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByText(detail)).toBeVisible();
});

test("owners set the rules, and others read them", async () => {
  const rules = { membersAsk: false, onlyAllowedApps: true };
  const { unmount } = await renderPage(<LaunchRulesCard rules={rules} mayChange />, {
    answers: { "PUT /api/organization/launch-rules": done() },
  });
  await page.getByRole("switch", { name: /Members ask/ }).click({ force: true });
  await expect.poll(sent).toEqual([["PUT", "/api/organization/launch-rules", { membersAsk: true }]]);
  await checkAppearance("rules for launches");
  await unmount();
  await renderPage(<LaunchRulesCard rules={rules} mayChange={false} />);
  await expect.element(page.getByRole("switch", { name: /Members ask/ })).toBeDisabled();
});

test("an owner allows an app, and removes it", async () => {
  const { unmount } = await renderPage(<AllowButton listingId="l1" link="x" isAllowed={false} />, {
    answers: { "PUT /api/allowed-apps/l1": done() },
  });
  await page.getByRole("button", { name: "Allow this app" }).click();
  await expect.poll(sent).toEqual([["PUT", "/api/allowed-apps/l1", { link: "x" }]]);
  await unmount();
  await renderPage(<AllowButton listingId="l1" isAllowed title="VIN autofill" />, {
    answers: { "DELETE /api/allowed-apps/l1": done() },
  });
  await page.getByRole("button", { name: "Remove VIN autofill" }).click();
  await expect.poll(sent).toEqual([["DELETE", "/api/allowed-apps/l1", null]]);
});
