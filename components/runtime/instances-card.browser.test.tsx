import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { InstancesCard, type RunningInstance, ScaleCard } from "./instances-card";

const at = new Date("2026-11-20T10:00:00.000Z");
const ready: RunningInstance = {
  ...{ id: "0", number: "1.4.0", replica: 0, runtime: "docker", state: "READY", reason: null },
  ...{ failingSince: null, createdAt: at, readyAt: at, outdated: false },
};
const instances: RunningInstance[] = [
  ready,
  {
    ...ready,
    id: "1",
    replica: 1,
    failingSince: at,
    reason: "GET /health returned 500. It must return exactly 200.",
  },
  { ...ready, id: "2", replica: 2, state: "STARTING", readyAt: null },
  { ...ready, id: "3", number: "1.3.0", outdated: true },
  {
    ...ready,
    ...{ id: "4", number: "1.3.0", replica: 1, state: "DRAINING", runtime: "process" },
    reason: "The app has enough replicas without it.",
  },
];
const listing = { id: "l1", title: "VIN autofill" };
const path = "/publish/vin-autofill";

// Guarantee: a publisher sees the state of each replica in words.
test("instances in every state", async () => {
  await renderPage(
    <>
      <h1>VIN autofill</h1>
      <InstancesCard listing={listing} replicas={3} instances={instances} />
    </>,
    { path },
  );
  // It is open, because something is not ready.
  await expect.element(page.getByText("2 of 6 ready")).toBeVisible();
  for (const text of ["Ready", "Failing health checks", "Starting", "Finishing its last calls"])
    await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  await expect.element(page.getByText("Ready, about to be replaced")).toBeVisible();
  await checkAppearance("listing, instances");
});

// Guarantee: what is as it should be takes one line.
test("instances that are ready are one line, with each on demand", async () => {
  const five = Array.from({ length: 5 }, (_, replica) => ({ ...ready, id: String(replica), replica }));
  await renderPage(
    <>
      <h1>VIN autofill</h1>
      <InstancesCard listing={listing} replicas={5} instances={five} />
    </>,
    { path },
  );
  await expect.element(page.getByText("5 of 5 ready")).toBeVisible();
  await expect.element(page.getByText("Version 1.4.0 · replica 5")).not.toBeVisible();
  await checkAppearance("listing, instances that are ready");
  await page.getByText("5 of 5 ready").click();
  await expect.element(page.getByText("Version 1.4.0 · replica 5")).toBeVisible();
});

test("an app that does not run can be scaled, and not restarted", async () => {
  await renderPage(
    <>
      <h1>VIN autofill</h1>
      <InstancesCard listing={listing} replicas={1} instances={[]} />
      <ScaleCard listingId="l1" replicas={1} mostReplicas={null} most={5} calls={0} />
    </>,
    { path, answers: { "PUT /api/listings/l1/replicas": new Response(null, { status: 204 }) } },
  );
  await expect.element(page.getByRole("button", { name: "Restart" })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Save" })).toBeDisabled();
  await page.getByRole("button", { name: "Replicas of each version" }).click();
  await page.getByRole("option", { name: "3 instances" }).click();
  await expect.element(page.getByText("must not keep anything in memory", { exact: false })).toBeVisible();
  await checkAppearance("listing, no instances");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => vi.mocked(fetch).mock.calls.map(([url, init]) => [url, init?.method, init?.body]))
    .toContainEqual(["/api/listings/l1/replicas", "PUT", '{"replicas":3,"mostReplicas":null}']);
});

test("a refusal is shown, and a restart is confirmed", async () => {
  const refused = Response.json(
    { code: "BAD_INPUT", detail: "This platform runs at most 2 instances of a version. Choose fewer." },
    { status: 400 },
  );
  await renderPage(
    <>
      <h1>VIN autofill</h1>
      <InstancesCard listing={listing} replicas={2} instances={[ready]} />
      <ScaleCard listingId="l1" replicas={2} mostReplicas={4} most={5} calls={21.4} />
    </>,
    {
      path,
      answers: {
        "PUT /api/listings/l1/replicas": refused,
        "POST /api/listings/l1/restart": new Response(null, { status: 204 }),
      },
    },
  );
  await page.getByRole("button", { name: "Replicas of each version" }).click();
  await page.getByRole("option", { name: "5 instances" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText("at most 2 instances", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Restart" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Restart VIN autofill?" });
  await expect.element(dialog).toBeVisible();
  await checkAppearance("listing, restart");
  await dialog.getByRole("button", { name: "Restart" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});
