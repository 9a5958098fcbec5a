import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { noteStoredPaths } from "@/lib/domain/catalog/mapping/check-path";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleConfiguration, sampleLaunchOffer } from "@/tests/samples/configuration";
import { LaunchFlow } from "../launch/launch-flow";
import { ConfigureInstallation } from "./configure-installation";

const before = sampleConfiguration();
const checkId = "6f1b2c34-0000-4000-8000-0000000000c4";
const REQUEST = "POST /api/configuration-checks";
const READ = `GET /api/configuration-checks/${checkId}`;
const CANCEL = `DELETE /api/configuration-checks/${checkId}`;
const button = (name: string) => page.getByRole("button", { name, exact: true });
const issue = (pointer: string, message: string) => ({ code: "configuration-check", pointer, message });
const ended = (result: object) => ({ state: "ENDED", result });
const STARTING = { state: "STARTING", result: null };
const noContent = () => new Response(null, { status: 204 });

async function renderForm(view: object = STARTING) {
  const answers: Record<string, unknown> = { [REQUEST]: { checkId }, [READ]: view, [CANCEL]: noContent() };
  await renderPage(<ConfigureInstallation initial={before} notes={noteStoredPaths(before)} />, { answers });
  return answers;
}

// Guarantee: what the app finds is shown at its field, read aloud, and gone once the field is edited. It keeps nobody from saving.
test("a check starts the app, marks what it finds, and passes", async () => {
  const answers = await renderForm();
  await expect
    .element(page.getByText("Check sends these answers to the app before you save them. It's optional."))
    .toBeVisible();
  await button("Check").click();
  await expect.element(page.getByText(/Starting the app/)).toBeVisible();
  await checkAppearance("check, starting");
  answers[READ] = { state: "CALLING", result: null };
  await expect.element(page.getByText(/is checking your settings/)).toBeVisible();
  answers[READ] = ended({
    outcome: "ISSUES",
    issues: [
      issue("/settings/greeting", "Agents see up to 60 characters."),
      issue("", "Your plan doesn't include this region."),
    ],
  });
  const greeting = page.getByRole("textbox", { name: /Greeting/ });
  await expect.element(greeting).toHaveFocus();
  await expect.element(page.getByText("The app found 2 problems. You can still continue.")).toBeVisible();
  await expect.element(page.getByRole("alert")).toHaveTextContent(/doesn't include this region/);
  await expect.element(greeting).toHaveAttribute("aria-invalid", "true");
  await checkAppearance("check, problems");
  await greeting.fill("Short");
  await expect.element(greeting).not.toHaveAttribute("aria-invalid", "true");
  await expect.element(page.getByText("You changed your answers since the last check.")).toBeVisible();
  await expect.element(button("Save")).toBeEnabled();

  answers[READ] = ended({ outcome: "PASSED" });
  await button("Check").click();
  await expect.element(page.getByText("The app found no problems.")).toBeVisible();
  expect(page.getByRole("alert").elements()).toEqual([]);
  await checkAppearance("check, passed");
});

test("a check that fails says that saving is possible", async () => {
  const reason = "The app failed to check the settings. It didn't send its response headers within 10 s.";
  await renderForm(ended({ outcome: "FAILED", reason }));
  await button("Check").click();
  await expect.element(page.getByText(`${reason} You can still continue without the check.`)).toBeVisible();
  await checkAppearance("check, failed");
});

test("a check can be canceled, and a refused one shows why", async () => {
  const answers = await renderForm();
  await button("Check").click();
  await button("Cancel check").click();
  await expect.element(page.getByText("Check canceled.")).toBeVisible();
  const detail = "Revision 4 was saved in the meantime. Compare, then save again.";
  answers[REQUEST] = Response.json({ code: "STALE_REVISION", detail }, { status: 409 });
  await button("Check").click();
  await expect.element(page.getByText(detail)).toBeVisible();
});

// Guarantee: an answer that was edited while the app checked it is not marked with what was found about the old one.
test("what was edited during the check is not marked", async () => {
  const answers = await renderForm();
  await button("Check").click();
  await expect.element(page.getByText(/Starting the app/)).toBeVisible();
  await page.getByRole("textbox", { name: /Greeting/ }).fill("New");
  answers[READ] = ended({ outcome: "ISSUES", issues: [issue("/settings/greeting", "Too long.")] });
  await expect.element(page.getByText("You changed your answers since the last check.")).toBeVisible();
  expect(page.getByText("Too long.").elements()).toEqual([]);
});

test("a check needs valid answers, and is offered only by apps that check", async () => {
  await renderForm();
  await page.getByRole("radio", { name: "Replace" }).first().click({ force: true });
  await button("Check").click();
  await expect.element(page.getByText("Fix 1 problem to continue")).toBeVisible();
  await expect.element(button("Check")).toBeVisible();
});

test("the launch wizard checks the settings of its step", async () => {
  localStorage.clear();
  const owner = { userId: "u", organizationId: "o", app: "acme/checked", test: false };
  const answers = {
    [REQUEST]: { checkId },
    [READ]: ended({
      outcome: "ISSUES",
      issues: [issue("/settings/apiKey", "The provider refused this key.")],
    }),
  };
  const offer = sampleLaunchOffer();
  const flow = <LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />;
  await renderPage(flow, { path: "/launch/acme/checked", answers });
  await button("Continue").click();
  await page.getByRole("button", { name: /Region/ }).click();
  await page.getByRole("option", { name: "Europe" }).click();
  await button("Check").click();
  await expect.element(page.getByRole("textbox", { name: /Key of your VIN provider/ })).toHaveFocus();
  await checkAppearance("check, launch");
  await button("Skip").or(button("Continue")).click();
  await expect.poll(() => location.search).toBe("?step=map-1");
});
