import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Operation, PartProcess } from "@/lib/domain/surface/operation";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { OperationView } from "./operation-view";

const now = new Date();
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const DAY = 24 * 60;

const process = (
  part: PartProcess["part"],
  host: string,
  changes: Partial<PartProcess> = {},
): PartProcess => ({
  id: `${part}-${host}`,
  part,
  host,
  release: "1.4.0",
  startedAt: ago(3 * DAY),
  seenAt: now,
  endedAt: null,
  ...changes,
});

const operation: Operation = {
  now,
  release: "1.4.0",
  schema: "same",
  processes: [process("web", "apps-1"), process("gateway", "apps-1"), process("worker", "apps-1")],
  moreProcesses: 0,
  hold: null,
  queues: [
    { queue: "deliveries", due: 12, leased: 12, oldestSeconds: 0 },
    { queue: "installations", due: 0, leased: 0, oldestSeconds: 0 },
    { queue: "upgrades", due: 0, leased: 0, oldestSeconds: 0 },
    { queue: "evidence", due: 1, leased: 1, oldestSeconds: 0 },
    { queue: "configurationChecks", due: 0, leased: 0, oldestSeconds: 0 },
    { queue: "mails", due: 3, leased: 0, oldestSeconds: 4 },
    { queue: "logExcerpts", due: 0, leased: 0, oldestSeconds: 0 },
    { queue: "instanceLogs", due: 0, leased: 0, oldestSeconds: 0 },
  ],
  nodes: [
    { node: "apps-1", runtime: "docker", healthy: 14, failing: 0, starting: 1, draining: 0 },
    { node: "apps-2", runtime: "docker", healthy: 11, failing: 2, starting: 0, draining: 1 },
  ],
  moreNodes: 0,
  failing: { versions: 1, installations: 2, breakers: 0 },
  store: {
    name: "folder",
    blobs: 96,
    bytes: 12_400_000_000,
    disk: { freeBytes: 212_000_000_000, totalBytes: 480_000_000_000 },
    problem: null,
  },
  masterKeys: [
    { id: "k2", isCurrent: true, isPresent: true, wraps: 61 },
    { id: "k1", isCurrent: false, isPresent: true, wraps: 0 },
  ],
  signingKeys: [{ id: "019ac8a4-6c2e-7b54-9d53-0b6a3f9c2f11", createdAt: ago(120 * DAY) }],
  certificates: [
    { of: "the pages", validUntil: ago(-64 * DAY) },
    { of: "the database", validUntil: ago(-310 * DAY) },
  ],
  backup: { id: "b", takenAt: ago(9 * 60), bytes: 12_900_000_000, lostBlobs: 0, checkedAt: ago(8 * 60) },
};

test("everything is as it should be", async () => {
  await renderPage(<OperationView operation={operation} />);
  await expect.element(page.getByText("Nothing needs attention")).toBeVisible();
  await expect.element(page.getByRole("table", { name: "Parts" })).toBeVisible();
  await expect.element(page.getByRole("row", { name: /^apps-2 Docker 11 2 0 1$/ })).toBeVisible();
  await expect.element(page.getByText("64 days left", { exact: false })).toBeVisible();
  await checkAppearance("operation, as it should be");
});

// Guarantee: what an operator has to do comes before what there is to read.
test("what needs attention comes first, the worst at the top", async () => {
  await renderPage(
    <OperationView
      operation={{
        ...operation,
        schema: "newer",
        processes: [
          process("web", "platform-web-5d8f7c9b6d-x2x7q", { startedAt: ago(14) }),
          process("gateway", "platform-gateway-7c9d5b8f4c-4k2zp"),
          process("gateway", "platform-gateway-7c9d5b8f4c-m8j5t", { seenAt: ago(4) }),
          process("gateway", "platform-gateway-6b7c8d9f5b-q9w3e", {
            release: "1.5.0",
            startedAt: ago(2),
            endedAt: now,
          }),
          process("gateway", "earlier", { host: null, release: null }),
        ],
        hold: { backedUpAt: ago(DAY), restoredAt: ago(20) },
        store: {
          ...operation.store,
          name: "registry",
          disk: null,
          problem: "It can't be reached (ECONNREFUSED).",
        },
        masterKeys: [
          { id: "k3", isCurrent: true, isPresent: true, wraps: 4 },
          { id: "k2", isCurrent: false, isPresent: true, wraps: 57 },
          { id: "k1", isCurrent: false, isPresent: false, wraps: 1 },
        ],
        certificates: [
          { of: "the registry", validUntil: ago(-3 * DAY) },
          { of: "the gateway", validUntil: ago(60) },
        ],
        backup: { id: "b", takenAt: ago(3 * DAY), bytes: 12_900_000_000, lostBlobs: 1, checkedAt: null },
      }}
    />,
  );
  const items = page.getByRole("list", { name: "Needs attention" }).getByRole("listitem");
  await expect.element(items.first()).toHaveTextContent("No worker is available");
  const link = page.getByRole("link", { name: "Show: No worker is available" });
  await expect.element(link).toHaveAttribute("href", "#parts");
  await expect.element(page.getByText("A gateway stopped reporting")).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "Ending" })).toBeVisible();
  await checkAppearance("operation, needs attention");
});

test("a platform that has just been installed", async () => {
  await renderPage(
    <OperationView
      operation={{ ...operation, nodes: [], signingKeys: [], certificates: [], backup: null }}
    />,
  );
  await expect.element(page.getByText("None is recorded")).toBeVisible();
  await expect.element(page.getByText("No backup has been made yet")).toBeVisible();
  await checkAppearance("operation, new");
});
