import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { I18nProvider } from "react-aria-components";
import { render } from "vitest-browser-react";
import { QueryProvider } from "@/lib/client/query-client";
import type { DevSnapshot } from "@/cli/dev/contract/snapshot";
import { fakeEventSource } from "@/tests/browser/fake-event-source";
import { checkAppearance } from "@/tests/browser/render";
import { sampleConfiguration } from "@/tests/samples/configuration";
import { LAKESIDE, sampleDevCall, sampleDevSnapshot, sampleDrill } from "@/tests/samples/dev";
import { DevPage } from "./dev-page";

const CONFIGURATION = `/api/installations/${LAKESIDE}/configuration`;
const button = (name: string) => page.getByRole("button", { name, exact: true });
const link = (name: string) => page.getByRole("link", { name, exact: true });

/** Shows the page as the emulator reports it. `answers`: by method and path without its query. */
async function open(area: string, snapshot?: DevSnapshot, answers: Record<string, unknown> = {}) {
  history.replaceState(null, "", `/?area=${area}`);
  sessionStorage.clear();
  const stream = fakeEventSource();
  const requests: { method: string; path: string; body: unknown }[] = [];
  const all: Record<string, unknown> = {
    "GET /api/dev/sample": { payload: '{\n  "operation": "newBusiness.create"\n}' },
    [`GET ${CONFIGURATION}`]: sampleConfiguration({ installationId: LAKESIDE, checksConfiguration: false }),
    ...answers,
  };
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    requests.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : undefined });
    const given = all[`${method} ${path.split("?")[0]}`];
    const answer: unknown = typeof given === "function" ? given() : given;
    if (answer instanceof Response) return answer.clone();
    if (answer !== undefined) return Response.json(answer);
    return Response.json({ code: "NOT_FOUND", detail: "Not found." }, { status: 404 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  await render(
    <QueryProvider>
      <I18nProvider locale="en">
        <DevPage />
      </I18nProvider>
    </QueryProvider>,
  );
  const send = (event: string, data: unknown) => stream.last()?.send(event, "", data);
  if (snapshot !== undefined) send("snapshot", snapshot);
  return { stream, send, requests, answers: all };
}

test("the console sends a call and shows its answer, its state read, and the request", async () => {
  const failed = sampleDevCall({
    id: "call-3",
    customerName: "Northwind Mutual",
    response: { status: 500, headers: {}, body: "TypeError: state.settings is undefined" },
    fault: "app-response-status",
    failure: "The app returned status 500. Only 2xx counts as success.",
    reads: [],
  });
  const { send, requests, answers } = await open("console", sampleDevSnapshot(), {
    "POST /api/dev/calls": sampleDevCall({ id: "call-2" }),
  });
  await expect
    .element(page.getByRole("textbox", { name: "Payload" }))
    .toHaveValue('{\n  "operation": "newBusiness.create"\n}');
  await checkAppearance("dev console");
  await button("Send").click();
  send("call", sampleDevCall({ id: "call-2" }));
  await expect.element(page.getByRole("article", { name: /Lakeside/ })).toHaveTextContent(/Honda/);
  await expect.element(page.getByRole("article", { name: /Lakeside/ })).toHaveTextContent("1 state read");
  expect(requests.at(-1)).toMatchObject({
    method: "POST",
    body: { customerId: LAKESIDE, route: "autofill:/autofill", name: "newBusiness.create" },
  });
  await checkAppearance("dev console, result");
  answers["POST /api/dev/calls"] = failed;
  await button("Send").click();
  send("call", failed);
  await expect.element(page.getByRole("alert").first()).toHaveTextContent(/status 500/);
  await checkAppearance("dev console, failed call");
});

test("a call to all customers lets each have a sample of its own", async () => {
  let calls = 10;
  const { requests } = await open("console", sampleDevSnapshot(), {
    "POST /api/dev/calls": () => sampleDevCall({ id: `call-${calls++}` }),
  });
  await page.getByRole("button", { name: /Lakeside Insurance Customer/ }).click();
  await page.getByRole("option", { name: "All customers" }).click();
  await expect.element(page.getByText("Required answers are missing")).toBeVisible();
  await button("Send to 2 customers").click();
  await expect.poll(() => requests.filter(({ path }) => path === "/api/dev/calls").length).toBe(2);
  const sent = requests.filter(({ path }) => path === "/api/dev/calls");
  expect(sent.every(({ body }) => !Object.hasOwn(Object(body), "text"))).toBe(true);
});

test("a call from the history is sent again, and calls of others are shown on request", async () => {
  const { requests } = await open("console", sampleDevSnapshot(), { "POST /api/dev/calls": sampleDevCall() });
  const calls = page.getByRole("region", { name: "Calls" });
  await expect.element(calls).not.toHaveTextContent("/_app/install");
  await page.getByRole("radio", { name: "All" }).click();
  await expect.element(calls).toHaveTextContent("/_app/install");
  await calls.getByText("/autofill").click();
  await button("Send again").click();
  await expect
    .poll(() => requests.at(-1))
    .toMatchObject({
      path: "/api/dev/calls",
      body: { text: '{"operation":"newBusiness.create","data":{"vin":"1HGCM82633A004352"}}' },
    });
});

test("an endpoint is called with a path and a method of its own", async () => {
  const { requests } = await open("console", sampleDevSnapshot(), { "POST /api/dev/calls": sampleDevCall() });
  await page.getByRole("button", { name: /autofill Route/ }).click();
  await page.getByRole("option", { name: /status/ }).click();
  await expect.element(page.getByRole("textbox", { name: "Payload" })).not.toBeInTheDocument();
  await page.getByRole("textbox", { name: "Path" }).fill("/status/7?full=1");
  await button("Send").click();
  await expect
    .poll(() => requests.at(-1)?.body)
    .toMatchObject({
      route: "endpoint:/status/*",
      method: "GET",
      path: "/status/7?full=1",
    });
});

test("invalid JSON is not sent", async () => {
  const { requests } = await open("console", sampleDevSnapshot());
  await page.getByRole("textbox", { name: "Payload" }).fill("{");
  await button("Send").click();
  await expect.element(page.getByRole("alert").first()).toHaveTextContent(/not valid JSON/);
  expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
});

// Guarantee: a save keeps the user here, and a new setting of the manifest appears without losing what was typed.
test("a customer is configured with the product's form, which follows the manifest", async () => {
  const before = sampleConfiguration({ installationId: LAKESIDE, checksConfiguration: false });
  const { send, requests, answers } = await open("customers", sampleDevSnapshot(), {
    [`PUT ${CONFIGURATION}`]: { revision: 4 },
  });
  const greeting = page.getByRole("textbox", { name: /Greeting/ });
  await expect.element(greeting).toHaveValue("Hello");
  await checkAppearance("dev customers");
  await greeting.fill("Good morning");
  answers[`GET ${CONFIGURATION}`] = {
    ...before,
    declared: [...before.declared, { name: "color", title: "Color", type: "Text" }],
    settings: [...before.settings, { name: "color", sensitive: false }],
  };
  send("manifest", { ...sampleDevSnapshot().manifest, readAt: "2026-11-20T10:05:00.000Z" });
  await expect.element(page.getByRole("textbox", { name: /Color/ })).toBeVisible();
  await expect.element(greeting).toHaveValue("Good morning");
  await button("Save").click();
  await expect.element(page.getByText(/Revision 4 saved/)).toBeVisible();
  expect(requests.find(({ method }) => method === "PUT")?.body).toMatchObject({
    settings: { greeting: { action: "set", value: "Good morning" } },
  });
  await expect.element(page.getByText("No changes.")).toBeVisible();
});

test("unsaved answers are not lost by a change of the area", async () => {
  await open("customers", sampleDevSnapshot());
  await page.getByRole("textbox", { name: /Greeting/ }).fill("Typed");
  await link("Drills").click();
  await expect.element(page.getByRole("alertdialog")).toHaveTextContent("Leave without saving?");
  await button("Leave").click();
  await expect.element(button("Run all")).toBeVisible();
});

test("customers are added, filled with made-up answers, and removed", async () => {
  const [first, second] = sampleDevSnapshot().customers;
  const { send, requests } = await open("customers", sampleDevSnapshot(), {
    "POST /api/dev/customers": { ...second, name: "Third Mutual" },
    [`POST /api/dev/customers/${LAKESIDE}/invent`]: { revision: 4 },
    [`DELETE /api/dev/customers/${LAKESIDE}`]: new Response(null, { status: 204 }),
  });
  await button("Fill with made-up answers").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Replace" }).click();
  await expect.poll(() => requests.at(-1)?.path).toBe(`/api/dev/customers/${LAKESIDE}/invent`);
  await expect.element(page.getByRole("alertdialog")).not.toBeInTheDocument();
  await button("Remove").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => requests.at(-1)?.method).toBe("DELETE");
  await expect.element(page.getByRole("alertdialog")).not.toBeInTheDocument();
  await button("Add customer").click();
  await page.getByRole("textbox", { name: "Name" }).fill("Third Mutual");
  await button("Add").click();
  send("customers", [first, { ...second, name: "Third Mutual" }]);
  await expect.element(page.getByRole("heading", { name: "Third Mutual" })).toBeVisible();
});

test("drills show what they prove, their steps, and how to fix what failed", async () => {
  const { send } = await open("drills", sampleDevSnapshot());
  await checkAppearance("dev drills");
  send(
    "drill",
    sampleDrill({
      state: "failed",
      ms: 2_310,
      steps: [
        { text: "Sent 20 calls of two customers", ok: true, detail: "" },
        {
          text: "Compared the answers",
          ok: false,
          detail: "Northwind Mutual received “eu”, which is a setting of Lakeside Insurance.",
        },
      ],
      verdict: "The app mixes up customers.",
      fix: "Keep nothing from a call in a variable that the next one reads. Read the state with each call's own key.",
    }),
  );
  send(
    "drill",
    sampleDrill({ name: "restart", state: "passed", ms: 900, verdict: "The answers stayed the same." }),
  );
  send("drill", sampleDrill({ name: "kill", state: "running" }));
  await expect.element(page.getByText("1 passed, 1 failed.")).toBeVisible();
  await expect.element(button("Run all")).toBeDisabled();
  await checkAppearance("dev drills, results");
});

test("an app that crashed, a manifest with problems, and an emulator that stopped", async () => {
  const snapshot = sampleDevSnapshot();
  const { stream, send } = await open("log", {
    ...snapshot,
    manifest: {
      ...snapshot.manifest,
      valid: false,
      issues: [
        {
          code: "WRONG_TYPE",
          pointer: "/app/fields/0/type",
          message: '"Number" is not a type of setting.',
          hint: "Use Text, Select, or Password.",
          line: 12,
          column: 15,
        },
        {
          code: "UNKNOWN_KEY",
          pointer: "/app/colour",
          message: 'The key "colour" is unknown.',
          severity: "warning",
          line: 4,
          column: 3,
        },
      ],
    },
    instance: {
      ...snapshot.instance,
      state: "crashed",
      exit: {
        at: "2026-11-20T10:01:00.000Z",
        code: "EXITED",
        reason: "The app exited with code 1.",
        nextStep: "Find the cause at the end of the log, then save a file to start it again.",
        logTail: "Error: Cannot find module './decode.mjs'\n    at server.mjs:3",
      },
    },
  });
  await expect.element(page.getByText("platform-app.json:12:15 WRONG_TYPE")).toBeVisible();
  await expect.element(page.getByText("The app exited with code 1.")).toBeVisible();
  await checkAppearance("dev log, problems");
  stream.last()?.fail({ forGood: false });
  await expect.element(page.getByText("platform-app dev has stopped")).toBeVisible();
  await checkAppearance("dev stopped");
  await expect.poll(() => stream.last()).toBeDefined();
  send("snapshot", snapshot);
  await expect.element(page.getByText("platform-app dev has stopped")).not.toBeInTheDocument();
});

test("state reads on a phone, and what is empty", async () => {
  await page.viewport(390, 900);
  const { send } = await open("reads", sampleDevSnapshot());
  await page.getByText("sk_7Qw…x4Tz").click();
  await expect.element(page.getByText("tenantHostName")).toBeVisible();
  await checkAppearance("dev reads", [390]);
  send("snapshot", sampleDevSnapshot({ reads: [], calls: [], log: [], customers: [] }));
  await expect.element(page.getByText(/No reads yet/)).toBeVisible();
  await link("Console").click();
  await expect.element(page.getByText("There are no customers")).toBeVisible();
  await checkAppearance("dev, empty", [390]);
});

test("an emulator that never answered", async () => {
  const { stream } = await open("console");
  await expect.element(page.getByRole("status", { name: "Loading" })).toBeVisible();
  stream.last()?.fail({ forGood: true });
  await expect.element(page.getByText("platform-app dev isn't running")).toBeVisible();
  await checkAppearance("dev not running");
});
