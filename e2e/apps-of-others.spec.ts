/**
 * Apps as other publishers write them, from their folder to a served call: without settings, with a manifest that is not in the
 * image, with endpoints, and with a path dialect of their own.
 */
import { expect, openTab, test } from "./fixtures";
import { Maker } from "./maker";
import { queryDatabase } from "./start-platform";
import { copyApp, coreFor } from "./workflows";

const MAKER = `others-${Date.now().toString(36)}`;

const core = coreFor(MAKER);

test("apps that were written without this platform in mind are published, launched and called", async ({
  platform,
  browser,
}) => {
  test.setTimeout(300_000);
  const maker = await Maker.signUp(browser, platform, core, MAKER);
  const { page, key, authorization } = maker;

  await test.step("no settings, and the manifest is added to the image: it gets its core's event as it was sent", async () => {
    await maker.list("policy-journal");
    await using app = await copyApp("policy-journal", `${MAKER}/policy-journal`);
    await expect(app.publish(platform, key)).rejects.toThrow(/--add-manifest/);
    expect(await app.publish(platform, key, "--add-manifest")).toContain("1.1.0");
    await maker.launchByHand("policy-journal");
    const event = {
      id: "evt-1",
      type: "policy.renewed",
      timestamp: 1_767_225_600_000,
      region: { code: "EU", tiers: [1, 2] },
      data: { policyLocator: "POL-1" },
    };
    expect((await maker.post("/core/v1/events", event)).status).toBe(202);
    await openTab(page, "Calls");
    await page
      .getByRole("link", { name: /POST \/journal/ })
      .first()
      .click();
    const calls = page.getByRole("main");
    await expect(calls).toContainText('"at": "2026-01-01T00:00:00.000Z"');
    await expect(calls).toContainText('"tiers"');
  });

  await test.step("a settings page for the core and a callback for a partner", async () => {
    await maker.publish("partner-desk");
    const id = await maker.launchByHand("partner-desk", {
      answer: () => page.getByRole("textbox", { name: "Partner" }).fill("Harbor Parts"),
      review: async () => {
        await expect(page.getByText("Partner callback")).toBeVisible();
        await page.getByText("Open this endpoint to everyone who knows the URL").click();
      },
    });
    const [row] = await queryDatabase(platform, "select route_base from installations where id = $1", [id]);
    const base = `${platform.gatewayUrl}/r/${row?.route_base}`;

    expect((await fetch(`${base}/settings`)).status).toBe(401);
    const settings = await fetch(`${base}/settings`, { headers: { authorization } });
    expect(await settings.text()).toContain("Harbor Parts");
    expect(settings.headers.get("content-security-policy")).toContain("sandbox");
    expect(settings.headers.get("set-cookie")).toBeNull();

    const callback = await fetch(`${base}/callbacks/orders?n=1`, {
      method: "POST",
      headers: { cookie: "next-auth.session-token=stolen" },
      body: "order 1",
    });
    expect(await callback.json()).toEqual({
      partner: "Harbor Parts",
      method: "POST",
      path: "/callbacks/orders?n=1",
      cookie: null,
      body: "order 1",
    });
    expect((await fetch(`${base}/callbacks/orders`, { method: "DELETE" })).status).toBe(405);
    expect((await fetch(`${base}/other`)).status).toBe(404);
  });

  await test.step("paths in the app's own dialect, and only declared operations", async () => {
    await maker.publish("own-paths");
    const path = "fields[?(@.name=='vin')]";
    const id = await maker.launchByHand("own-paths", {
      answer: () => page.getByRole("textbox", { name: /VIN/ }).fill(path),
    });
    const call = await maker.callerOf(id);
    const data = { fields: [{ name: "vin", value: "1HGCM82633A004352" }] };
    const answer = await call({ operation: "newBusiness.quote", data });
    expect(await answer.json()).toEqual({
      data: { ...data, make: "1HG" },
      fields: { vin: path },
      settings: {},
    });
    const refused = await call({ operation: "renewal.quote", data });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.json()).toMatchObject({ code: expect.stringMatching(/OPERATION/) });
  });
});
