import { v7 } from "uuid";
import { expect, test } from "vitest";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { exportCalls } from "./export-calls";

const platform = await testPlatform();

async function read(...asked: Parameters<typeof exportCalls>): Promise<{ name: string; text: string }> {
  const { name, parts } = await exportCalls(...asked);
  let text = "";
  for await (const part of parts) text += part;
  return { name, text };
}

// Guarantee: a file has every call that the filter shows, however many pages that are, and none of another organization.
test("calls are exported page by page, without payloads", async () => {
  const { customer, installation, route } = await givenInstalledApp(platform);
  const other = await givenInstalledApp(platform, { slug: "alpine" }).catch(() => undefined);
  const insert = (organizationId: string, failure: string | null) =>
    platform.pool.query(
      `insert into attempts (id, organization_id, installation_id, route_id, kind, target, payload, duration_ms, failure)
       values ($1, $2, $3, $4, 'autofill', 'POST /autofill', 'secret payload', 12, $5)`,
      [v7(), organizationId, installation.id, route("autofill").id, failure],
    );
  for (let times = 0; times < 502; times += 1)
    await insert(customer.organization.id, times === 0 ? "It broke" : null);
  await insert(other?.customer.organization.id ?? v7(), null);
  const { name, text } = await read(platform, customer, {}, "jsonl", "UTC");
  expect(name).toMatch(/^harbor-calls-until-\d{4}-\d\d-\d\d\.jsonl$/);
  const rows = text.split("\n").filter(Boolean);
  expect(rows).toHaveLength(502);
  expect(JSON.parse(rows[0] ?? "")).toMatchObject({
    app: "VIN lookup",
    tenant: "Production",
    durationMs: 12,
  });
  expect(text).not.toContain("secret payload");
  const failed = await read(platform, customer, { state: "failed", last: "24h" }, "csv", "UTC");
  expect(failed.text.split("\r\n")).toHaveLength(3);
  expect(failed.text).toContain("It broke");
  expect(failed.name).toMatch(/^harbor-calls-\d{4}-\d\d-\d\d-to-/);
});

test("an installation of another organization is not found", async () => {
  const { customer } = await givenInstalledApp(platform);
  await expect(exportCalls(platform, customer, { installation: v7() }, "csv", "UTC")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
