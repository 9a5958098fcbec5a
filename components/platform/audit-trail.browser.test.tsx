import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { AuditView } from "@/lib/contract/platform/audit-view";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AuditTrail } from "./audit-trail";

const row = (position: number, changes: Partial<AuditView>): AuditView => ({
  id: `row-${position}`,
  chain: "o",
  position,
  at: new Date(Date.now() - (20 - position) * 3_600_000).toISOString(),
  actor: "user:0198c000-0000-7000-8000-000000000001",
  actorName: "Maya Moss",
  action: "listing.create",
  subject: "listing:0198c000-0000-7000-8000-000000000002",
  subjectName: "VIN autofill",
  details: { name: "acme/vin-autofill" },
  ...changes,
});
const rows = [
  row(9, { action: "review.approve", actorName: "A moderator", subjectName: "VIN autofill 1.4.0" }),
  row(8, {
    action: "installation.fail",
    actor: "worker",
    actorName: "The platform",
    subjectName: "VIN autofill for Production",
  }),
  row(7, {
    action: "tenant.rotate-core-credential",
    subjectName: "Production, a tenant with a name that is much longer than most names",
  }),
  row(6, { action: "gone.action", subjectName: "something" }),
  row(5, { details: {} }),
];
const path = "GET /api/organization/audit/verification?after=0";

const render = (changes: Partial<Parameters<typeof AuditTrail>[0]>, answer: unknown) =>
  renderPage(
    <AuditTrail
      place="organization"
      description="Everything that changed in Harbor Mutual, who changed it, and when. Verification detects any later edit."
      filter={{}}
      rows={rows}
      total={10_000}
      actorName={undefined}
      pages={{ isFirst: true, next: "x" }}
      {...changes}
    />,
    { path: "/organization/audit", answers: { [path]: answer } },
  );

test("each change is a sentence, with its record on demand", async () => {
  await render({}, { position: 9, done: true });
  await expect.element(page.getByText("Verified to row 9: nothing was changed or removed.")).toBeVisible();
  const first = page.getByRole("listitem").first();
  await expect.element(first).toHaveTextContent("A moderator approved VIN autofill 1.4.0");
  await expect.element(page.getByText("recorded gone.action of")).toBeVisible();
  await first.getByText("approved").click();
  await expect.element(page.getByRole("region", { name: "details of row 9" })).toBeVisible();
  await expect.element(page.getByText("10,000+ changes")).toBeVisible();
  await checkAppearance("audit trail");
});

// Guarantee: a download is of the page's organization, whatever the session works in by then.
test("downloads name the page's organization", async () => {
  await render({ organizationId: "acme", filter: { action: "listing.create" } }, { position: 9, done: true });
  await expect
    .element(page.getByRole("link", { name: "CSV" }))
    .toHaveAttribute(
      "href",
      "/api/organization/audit/export?action=listing.create&format=csv&organization=acme",
    );
});

test("a broken trail says where, and what to do", async () => {
  await render(
    { filter: { action: "listing.create", subject: "listing:1" } },
    { position: 3, done: true, issue: { position: 4, reason: "the row was changed" } },
  );
  await expect.element(page.getByText("The trail is broken at row 4")).toBeVisible();
  await checkAppearance("audit trail, broken");
});

test("nothing found", async () => {
  await render(
    { rows: [], filter: { from: "2026-01-01" }, pages: { isFirst: true } },
    { position: 0, done: true },
  );
  await expect.element(page.getByText("No matching changes")).toBeVisible();
  await checkAppearance("audit trail, nothing found");
});
