import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ReinstateButton, SuspendButton } from "./suspension-buttons";
import { SuspensionsCard } from "./suspensions-card";

// Guarantee: nothing is stopped by accident: a reason and the app's name are typed, and stopping is its own choice.
test("a suspension shows whom it affects, and needs a reason and the app's name", async () => {
  await renderPage(
    <SuspendButton
      listingId="1"
      title="VIN autofill"
      name="acme/vin"
      running={{ installations: 12, organizations: 3 }}
    />,
  );
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return Response.json({ stopped: 12 });
  });
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog", { name: "Suspend VIN autofill?" });
  await expect.element(dialog.getByText(/12 installations of 3 organizations/)).toBeVisible();
  await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
  await expect.element(dialog.getByText("Type acme/vin to confirm.")).toBeVisible();
  await expect.element(dialog.getByText(/Enter a reason/)).toBeVisible();
  await checkAppearance("suspension, what is missing");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("It leaks data.");
  await dialog.getByRole("textbox", { name: /Type acme/ }).fill("acme/vin");
  await dialog.getByText("Also stop running installations").click();
  expect(sent).toEqual([]);
  await dialog.getByRole("button", { name: "Suspend and stop" }).click();
  await expect.poll(() => sent).toEqual([{ reason: "It leaks data.", stopInstallations: true }]);
});

test("reinstating says what stays stopped", async () => {
  await renderPage(
    <ReinstateButton listingId="1" title="VIN autofill" visibility="NAMED" stillStopped={2} />,
  );
  await page.getByRole("button", { name: "Reinstate" }).click();
  await expect
    .element(page.getByText(/^Only the organizations that its publisher names can see/))
    .toBeVisible();
  await expect.element(page.getByText(/2 stopped installations stay stopped/)).toBeVisible();
  await checkAppearance("suspension, reinstate");
});

test("past suspensions show who, when, and what is still stopped", async () => {
  await renderPage(
    <SuspensionsCard
      suspensions={[
        {
          id: "1",
          reason: "It sends data to a third party.",
          stopsInstallations: true,
          stopped: ["a", "b", "c"],
          createdAt: new Date(Date.now() - 86_400_000),
          suspendedBy: "Maria Moss",
          reinstatedAt: new Date(),
          reinstatedBy: "Ned North",
        },
      ]}
      newest="1"
      stillStopped={[
        { id: "a", organization: "Harbor" },
        { id: "b", organization: "Harbor" },
        { id: "c", organization: "Alpine" },
      ]}
    />,
  );
  await expect.element(page.getByText("Still stopped: 2 of Harbor, 1 of Alpine")).toBeVisible();
  await checkAppearance("suspension, history");
});
