/**
 * Apps that misbehave, in real containers: the page says why a launch failed, why each call failed, and what crashed an app, so
 * that its publisher knows what to do. `tests/misbehaving-apps.test.ts` has every behavior.
 */
import { chooseBehavior } from "@/tests/choose-behavior";
import { expect, open, openTab, test } from "./fixtures";
import { Maker } from "./maker";
import { canary } from "./record-traffic";
import { coreFor, expectRunning } from "./workflows";

const MAKER = `misbehaving-${Date.now().toString(36)}`;

/** How the app answers, and what the list of calls says. */
const REFUSED = {
  "10-gigabytes": "Its response is larger than 1 MiB.",
  "gzip-bomb": "It compressed its response (gzip).",
  malformed: "Its response is not valid HTTP.",
  redirect: "It returned 302, a redirect. The platform doesn't follow redirects.",
};

const core = coreFor(MAKER);

test("each way in which an app misbehaves has its reason on the page", async ({ platform, browser }) => {
  test.setTimeout(300_000);
  const maker = await Maker.signUp(browser, platform, core, MAKER);
  const { page } = maker;
  const account = canary("the account of an app that misbehaves");
  const publishAndLaunch = async (behavior: string) => {
    await maker.publish(behavior, {
      folder: "misbehaving",
      prepare: (folder) => chooseBehavior(folder, behavior),
    });
    return maker.launch(behavior, { account });
  };

  await test.step("a crash at the start: exit code and log", async () => {
    await publishAndLaunch("crash-loop");
    await expect(
      page.getByText("The app exited with code 7 before GET /health returned 200.").first(),
    ).toBeVisible({ timeout: 90_000 });
    await expect(page.getByText("cannot read /config/rates.json").first()).toBeVisible();
    await expect(page.getByText("EXITED").first()).toBeVisible();
    await expect(page.getByText("then publish a new version").first()).toBeVisible();
  });

  const id = await publishAndLaunch("serves");
  await expectRunning(page);
  const send = await maker.callerOf(id);
  const call = async (answer: string) =>
    (await send({ operation: "newBusiness.create", data: { answer } })).status;

  await test.step("answers that are refused: each call says why, and the app is degraded", async () => {
    for (const answer of Object.keys(REFUSED)) expect(await call(answer), answer).toBe(502);
    await open(page, `${platform.webUrl}/installations/${id}`);
    await expect(page.getByText("Degraded").first()).toBeVisible();
    await openTab(page, "Calls");
    for (const reason of Object.values(REFUSED)) await expect(page.getByRole("main")).toContainText(reason);
  });

  await test.step("a crash that a payload causes: its reason and its log, without the secret and the state key", async () => {
    expect(await call("secrets")).toBe(200);
    expect(await call("crash")).toBe(502);
    await expect.poll(() => call("well"), { timeout: 60_000 }).toBe(200);
    await open(page, `${platform.webUrl}/installations/${id}`);
    await expect(page.getByText("The app exited with code 1.").first()).toBeVisible();
    await open(page, `${platform.webUrl}/publish/serves`);
    await expect(page.getByText("rates is undefined").first()).toBeVisible();
    await expect(page.getByText("[secret: account]").first()).toBeVisible();
    const text = await page.content();
    expect(text).not.toContain(account);
    expect(text).not.toContain("psk_");
  });
});
