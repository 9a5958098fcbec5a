import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { Card } from "@/components/ui/card";
import { leaveFor } from "@/lib/client/navigation";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { NewOrganizationForm } from "./new-organization-form";

// Guarantee: who only wants to try an app has nothing to type on the way.
test("an organization that is suggested is created as it is, and leads on", async () => {
  await renderPage(
    <Card>
      <NewOrganizationForm
        suggested={{ organizationName: "Maya Keller's organization", organizationSlug: "maya-keller-3f9a" }}
        submitText="Create and try the app"
        next="/launch/acme/vin?trial=1"
      />
    </Card>,
    { answers: { "POST /api/organizations": { organizationId: "1" } } },
  );
  await checkAppearance("organization for a trial");
  await page.getByRole("button", { name: "Create and try the app" }).click();
  await expect.poll(() => vi.mocked(leaveFor).mock.calls).toEqual([["/launch/acme/vin?trial=1"]]);
  const [, sent] = vi.mocked(fetch).mock.lastCall ?? [];
  expect(JSON.parse(String(sent?.body))).toEqual({
    organizationName: "Maya Keller's organization",
    organizationSlug: "maya-keller-3f9a",
  });
});
