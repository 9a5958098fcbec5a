import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { sampleLaunchOffer } from "@/tests/samples/configuration";
import { LaunchFlow } from "./launch-flow";
import { PilotGate } from "./pilot-agreement";

const wizard = (app: string, offer = sampleLaunchOffer()) => {
  const owner = { userId: "u", organizationId: "o", app, test: false };
  return <LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />;
};
const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const vin = () => page.getByRole("textbox", { name: /VIN/ });

test("the launch wizard, step by step, with problems, and restored from a draft", async () => {
  localStorage.clear();
  const { unmount } = await renderPage(wizard("acme/vin-autofill"), { path: "/launch/acme/vin-autofill" });
  await checkAppearance("launch, tenant");
  await press("Continue");
  const region = page.getByRole("button", { name: /Region/ });
  // The code of this step is loaded when it is shown.
  await expect.element(region).toBeVisible();
  await press("Continue");
  await expect.element(region).toHaveFocus();
  await checkAppearance("launch, configure with problems");
  await press(/Region/);
  await page.getByRole("option", { name: "Europe" }).click();
  const names = page.getByRole("switch", { name: /names/i });
  await names.click({ force: true });
  await checkAppearance("launch, configure with names");
  await names.click({ force: true });
  await press("Continue");

  await press(/^Pick/);
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await checkAppearance("launch, path picker");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await vin().fill("$.car[");
  await checkAppearance("launch, invalid path");
  await vin().fill("$.nowhere");
  await checkAppearance("launch, path outside the schema");

  await unmount();
  // The page keeps its drafts in memory too: another app finds a copy of this one in the browser's storage.
  await expect.poll(() => Object.values(localStorage).join("")).toContain("$.nowhere");
  for (const [key, draft] of Object.entries(localStorage))
    localStorage.setItem(key.replace("vin-autofill", "restored"), draft);
  await renderPage(wizard("acme/restored"), { path: location.pathname + location.search });
  await checkAppearance("launch, restored draft");
  await press(/^(Continue|Go on)$/);
  for (const [product, path] of [
    ["Motorcycle", "$.motorcycle.chassisNumber"],
    ["Private Motor", "$.car.chassisNumber"],
  ] as const) {
    await expect.element(page.getByRole("form", { name: new RegExp(product) })).toBeVisible();
    await vin().fill(path);
    await expect.element(page.getByText(/In the sample/)).toBeVisible();
    await press("Continue");
  }
  await expect.element(page.getByRole("button", { name: "Launch", exact: true })).toBeVisible();
  await checkAppearance("launch, review");
});

/** Answers every step with the least, up to the review. */
async function answerAll(app: string, offer = sampleLaunchOffer(), answers = {}) {
  localStorage.clear();
  const rendered = await renderPage(wizard(app, offer), { path: `/launch/${app}`, answers });
  await press("Continue");
  await press(/Region/);
  await page.getByRole("option", { name: "Europe" }).click();
  await page.getByRole("textbox", { name: /Key of your VIN provider/ }).fill("typed-secret");
  await press("Continue");
  for (const path of ["$.motorcycle.chassisNumber", "$.car.chassisNumber"]) {
    await vin().fill(path);
    await expect.element(page.getByText(/In the sample/)).toBeVisible();
    await press("Continue");
  }
  await expect.element(page.getByRole("button", { name: "Launch", exact: true })).toBeVisible();
  return rendered;
}

// Guarantee: nobody fills in the form for a tenant that cannot get the app again.
test("a tenant that has the app is not selectable, and leads to its installation", async () => {
  localStorage.clear();
  await renderPage(wizard("acme/installed"), { path: "/launch/acme/installed" });
  expect(page.getByRole("radio").elements()).toHaveLength(1);
  await expect
    .element(page.getByRole("link", { name: "Open for Staging" }))
    .toHaveAttribute("href", "/installations/6f1b2c34-0000-4000-8000-000000000001");
});

// Guarantee: a change on the review opens the answer that it names, and leads back to the review.
test("Change opens its field, and the step leads back to the review", async () => {
  await answerAll("acme/change");
  for (const [name, step, field] of [
    ["Change Tenant", "tenant", page.getByRole("radio", { name: /Production/ })],
    ["Change Region", "configure", page.getByRole("button", { name: /Region/ })],
    ["Change VIN field", "map-1", vin()],
  ] as const) {
    await page.getByRole("button", { name }).first().click();
    await expect.element(field.first()).toHaveFocus();
    expect(location.search).toBe(`?step=${step}`);
    await press("Back to review");
    await expect.poll(() => location.search).toBe("?step=review");
  }
});

// Guarantee: a secret that was entered and lost is never taken for one that was skipped.
test("after a reload, a lost secret must be entered again or skipped on purpose", async () => {
  const { unmount } = await answerAll("acme/lost");
  await unmount();
  await expect.poll(() => Object.values(localStorage).join("")).toContain("$.car.chassisNumber");
  expect(Object.values(localStorage).join("")).not.toContain("typed-secret");
  for (const [key, draft] of Object.entries(localStorage))
    localStorage.setItem(key.replace("acme/lost", "acme/found"), draft);
  await renderPage(wizard("acme/found"), { path: location.pathname + location.search });
  await expect.element(page.getByRole("form", { name: "Configure" })).toBeVisible();
  await expect
    .element(page.getByText("Enter Key of your VIN provider again.", { exact: false }).first())
    .toBeVisible();
  expect(page.getByText(/skipped/i).elements()).toEqual([]);
  const next = page.getByRole("form").getByRole("button", { name: "Continue" });
  await next.click();
  expect(location.search).toBe("?step=configure");
  await checkAppearance("launch, lost secret");
  await page.getByRole("radio", { name: "Skip" }).click({ force: true });
  await next.click();
  await expect.poll(() => location.search).toBe("?step=map-1");
});

// Guarantee: whoever may not launch anymore reads why, and has everything that was entered.
test("a launch that is refused because the app was hidden meanwhile loses nothing", async () => {
  const detail = "Its publisher now offers this app only to organizations that it names.";
  await answerAll("acme/hidden");
  vi.mocked(fetch).mockResolvedValueOnce(Response.json({ code: "NOT_ALLOWED", detail }, { status: 403 }));
  await press("Launch");
  await expect.element(page.getByText(detail)).toBeVisible();
  expect(location.search).toBe("?step=review");
  await page.getByRole("button", { name: "Change VIN field" }).first().click();
  await expect.element(vin()).not.toHaveValue("");
  await page.getByRole("button", { name: "Back to review" }).first().click();
  await page.getByRole("button", { name: /^Change Key of your VIN provider/ }).click();
  await expect
    .element(page.getByRole("textbox", { name: /Key of your VIN provider/ }))
    .toHaveValue("typed-secret");
});

test("a pilot version is launched once the member agrees to it", async () => {
  localStorage.clear();
  const owner = { userId: "u", organizationId: "o", app: "acme/pilot", test: false };
  const offer = { ...sampleLaunchOffer(), pilot: true as const };
  await renderPage(
    <PilotGate number={offer.number}>
      <LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />
    </PilotGate>,
    { path: "/launch/acme/pilot" },
  );
  await expect.element(page.getByText(/not reviewed yet$/).first()).toBeVisible();
  expect(page.getByRole("radio").elements()).toEqual([]);
  await checkAppearance("launch, pilot version");
  await page.getByRole("checkbox", { name: /^I agree to run a version/ }).click({ force: true });
  await expect.element(page.getByRole("radio").first()).toBeVisible();
});

// Guarantee: 300 tenants are a search and a short list; choosing and searching keep each other.
test("a launch among many tenants", async () => {
  localStorage.clear();
  const [free] = sampleLaunchOffer().tenants;
  if (free === undefined) throw new Error("the sample has no tenant");
  const counts = { free: 295, found: 295, installed: 5, foundInstalled: 5 };
  const named = (numbers: number[]) =>
    numbers.map((at) => ({ ...free, id: `${free.id.slice(0, -2)}${at + 10}`, name: `Branch ${at}` }));
  const flow = (typed: string, tenants: ReturnType<typeof named>, found: Partial<typeof counts> = {}) => {
    const offer = { ...sampleLaunchOffer(), tenants, tenantSearch: { ...counts, ...found, typed } };
    const owner = { userId: "u", organizationId: "o", app: "acme/many", test: false };
    return <LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />;
  };
  const { rerender } = await renderPage(flow("", named([1, 2, 3, 4, 5, 6, 7])), {
    path: "/launch/acme/many",
  });
  await expect.element(page.getByText(/^7 of 295 tenants/)).toBeVisible();
  await expect.element(page.getByText(/5 tenants have this app already/)).toBeVisible();
  await checkAppearance("launch, many tenants");
  await page.getByRole("radio", { name: /Branch 3/ }).click({ force: true });
  expect(new URLSearchParams(location.search).get("tenant")).toBe(named([3])[0]?.id);
  const field = page.getByRole("searchbox", { name: "Find a tenant" });
  await field.fill("nowhere");
  await expect.poll(() => new URLSearchParams(location.search).get("tenants")).toBe("nowhere");
  expect(new URLSearchParams(location.search).get("tenant")).toBe(named([3])[0]?.id);
  await rerender(flow("nowhere", named([3]), { found: 0, foundInstalled: 0 }));
  await expect.element(page.getByRole("radio", { name: /Branch 3/ })).toBeChecked();
  await expect.element(page.getByText(/No tenant without this app matches/)).toBeVisible();
  await checkAppearance("launch, no tenant found");
  await field.click();
  await userEvent.keyboard("{Enter}");
  await press("Continue");
  await expect.element(page.getByRole("button", { name: /Region/ })).toBeVisible();
});

// Guarantee: a trial asks for the settings alone, and is sent without a tenant.
test("a trial has two steps", async () => {
  localStorage.clear();
  const owner = { userId: "u", organizationId: "o", app: "acme/tried", test: false, trial: true };
  const [product] = sampleLaunchOffer().tenants[0]?.products ?? [];
  const tenant = { id: "trial", name: "Made-up insurer", hostName: "trial.sandbox", sandbox: true };
  const offer = {
    ...sampleLaunchOffer(),
    mappingFields: [],
    tenants: [{ ...tenant, products: product === undefined ? [] : [product] }],
    isolated: false,
  };
  await renderPage(<LaunchFlow offer={offer} owner={owner} mayConnect={false} maySandbox={false} />, {
    path: "/launch/acme/tried?trial=1",
  });
  // Nobody enters a secret before they know what the app may do with it.
  await expect.element(page.getByRole("region", { name: "What this app may do" })).toBeVisible();
  await expect.element(page.getByText("Reads the vehicle of the policy")).toBeVisible();
  await press(/Region/);
  await page.getByRole("option", { name: "Europe" }).click();
  await page.getByRole("textbox", { name: /Key of your VIN provider/ }).fill("typed-secret");
  await press("Continue");
  await expect.element(page.getByText("Made-up insurer (trial.sandbox)")).toBeVisible();
  await expect.element(page.getByText("Not isolated")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Start trial" })).toBeVisible();
  await checkAppearance("launch, trial review");
});

// Guarantee: who has no trial left learns it before the form is filled in, and in the refusal, each with a way to the trials.
test("a trial that can't start names those that are in the way", async () => {
  localStorage.clear();
  const owner = { userId: "u", organizationId: "o", app: "acme/limit", test: false, trial: true };
  const detail = "You already have 3 trials. End one of them to start another.";
  const trial = (id: number, title: string) => ({
    id: `6f1b2c34-0000-4000-8000-00000000000${id}`,
    title,
    isEnding: id === 2,
  });
  const offer = {
    ...sampleLaunchOffer(),
    settings: [],
    mappingFields: [],
    tenants: [
      { id: "trial", name: "Made-up insurer", hostName: "trial.sandbox", sandbox: true, products: [] },
    ],
    trialLimit: {
      detail,
      trials: [
        trial(1, "VIN autofill"),
        trial(2, "Telematics rater"),
        { ...trial(3, "Renewals"), organizationName: "Alpine" },
      ],
    },
  };
  const refusal = { type: "/docs/errors#WRONG_STATE", title: "Not possible now", status: 409 };
  const refused = new Response(JSON.stringify({ ...refusal, code: "WRONG_STATE", detail }), {
    status: 409,
    headers: { "content-type": "application/problem+json" },
  });
  await renderPage(<LaunchFlow offer={offer} owner={owner} mayConnect={false} maySandbox={false} />, {
    path: "/launch/acme/limit?trial=1",
    answers: { "POST /api/trials": refused },
  });
  const links = (within: ReturnType<typeof page.getByRole>) =>
    within
      .getByRole("link", { name: /^Open / })
      .elements()
      .map((link) => link.getAttribute("href"));
  const notice = page.getByRole("alert").filter({ hasText: "You can't start a trial now" });
  await expect.element(notice).toBeVisible();
  const expected = offer.trialLimit.trials.map(({ id }) => `/installations/${id}`);
  expect(links(notice)).toEqual(expected);
  await checkAppearance("launch, no trial left");
  await press("Start trial");
  const error = page.getByRole("alert").filter({ hasText: "Not possible now" });
  await expect.element(error).toBeVisible();
  expect(links(error)).toEqual(expected);
  await expect.element(notice).not.toBeInTheDocument();
});

// Guarantee: what a trial had is kept without asking again; its secrets are not shown.
test("a launch starts with the settings of a trial", async () => {
  localStorage.clear();
  const offer = {
    ...sampleLaunchOffer(),
    carried: {
      installationId: "6f1b2c34-0000-4000-8000-000000000001",
      settings: sampleLaunchOffer().settings.map(({ name, type, values }) =>
        type === "Password"
          ? {
              name,
              sensitive: true as const,
              configured: true,
              updatedAt: "2026-11-28T10:00:00.000Z",
              by: "Maya",
            }
          : { name, sensitive: false as const, value: values?.[0]?.value ?? "carried" },
      ),
    },
  };
  const owner = { userId: "u", organizationId: "o", app: "acme/carried", test: false };
  await renderPage(<LaunchFlow offer={offer} owner={owner} mayConnect maySandbox={false} />, {
    path: "/launch/acme/carried?from=6f1b2c34",
  });
  await press("Continue");
  await expect.element(page.getByRole("radio", { name: "Keep" }).first()).toBeChecked();
  await checkAppearance("launch, settings of a trial");
});

// Guarantee: terms are never accepted in advance, and never those that nobody was shown.
test("terms are a required question, and other terms are asked again", async () => {
  const terms = { url: "https://acme.example/terms/2026-11", version: "2026-11" };
  const changed = {
    type: "/docs/errors#TERMS_CHANGED",
    title: "The publisher changed its terms",
    status: 409,
    code: "TERMS_CHANGED",
    detail: "You accepted version 2026-11, and the publisher now has version 2026-12.",
  };
  const refused = () =>
    new Response(JSON.stringify(changed), {
      status: 409,
      headers: { "content-type": "application/problem+json" },
    });
  const offer = { ...sampleLaunchOffer(), terms };
  const { rerender } = await answerAll("acme/terms", offer, { "POST /api/installations": refused() });
  const box = (version: string) => page.getByRole("checkbox", { name: `I accept version ${version}` });
  await expect.element(box("2026-11")).not.toBeChecked();
  await press("Launch");
  await expect.element(box("2026-11")).toHaveFocus();
  await checkAppearance("launch, terms not accepted");
  await box("2026-11").click({ force: true });
  await expect
    .element(page.getByText("Read and accept the publisher's terms").first())
    .not.toBeInTheDocument();
  await press("Launch");
  await expect.element(page.getByText("The publisher changed its terms")).toBeVisible();
  // As the page draws it again, with what is typed.
  await rerender(
    <main id="main" className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-10">
      {wizard("acme/terms", { ...offer, terms: { ...terms, version: "2026-12" } })}
    </main>,
  );
  await expect.element(page.getByText("The publisher changed its terms")).toBeVisible();
  await expect.element(box("2026-12")).not.toBeChecked();
  await checkAppearance("launch, terms changed");
});
