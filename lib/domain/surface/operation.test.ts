import { expect, test } from "vitest";
import {
  describeSeconds,
  listProcesses,
  type NodeInstances,
  type Operation,
  type PartProcess,
  stateOf,
} from "./operation";
import { listOperationAttention } from "./operation-attention";

const NOW = new Date("2026-11-28T12:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const DAY = 86_400;

let ids = 0;
const process = (part: PartProcess["part"], changes: Partial<PartProcess> = {}): PartProcess => ({
  id: `process-${(ids += 1)}`,
  part,
  host: "one",
  release: "1.0.0",
  startedAt: ago(DAY),
  seenAt: ago(1),
  endedAt: null,
  ...changes,
});
const ALL = [process("web"), process("gateway"), process("worker")];

const machine = (node: string, counts: Partial<NodeInstances>): NodeInstances => ({
  node,
  runtime: "docker",
  starting: 0,
  healthy: 0,
  failing: 0,
  draining: 0,
  ...counts,
});

const healthy: Operation = {
  now: NOW,
  release: "1.0.0",
  schema: "same",
  processes: ALL,
  moreProcesses: 0,
  hold: null,
  queues: [{ queue: "deliveries", due: 3, leased: 3, oldestSeconds: 2 }],
  nodes: [],
  moreNodes: 0,
  failing: { versions: 1, installations: 2, breakers: 3 },
  store: {
    name: "folder",
    blobs: 4,
    bytes: 1_000,
    disk: { freeBytes: 50_000_000_000, totalBytes: 100_000_000_000 },
    problem: null,
  },
  masterKeys: [
    { id: "k2", isCurrent: true, isPresent: true, wraps: 12 },
    { id: "k1", isCurrent: false, isPresent: true, wraps: 0 },
  ],
  signingKeys: [],
  certificates: [{ of: "the registry", validUntil: ago(-60 * DAY) }],
  backup: { id: "b", takenAt: ago(DAY / 2), bytes: 1_000, lostBlobs: 0, checkedAt: null },
};

const judge = (changes: Partial<Operation>) =>
  listOperationAttention({ ...healthy, ...changes }).map(({ tone, title }) => `${tone}: ${title}`);

// Guarantee: failing apps are their publishers' matter, and a list that always says something is not read.
test("a platform that works needs no attention", () => {
  expect(judge({})).toEqual([]);
});

test.each<[string, Partial<Operation>, string[]]>([
  ["nobody ever started a worker", { processes: ALL.slice(0, 2) }, ["danger: No worker is available"]],
  [
    "the only gateway went without a word",
    { processes: [process("gateway", { seenAt: ago(60) }), process("worker")] },
    ["danger: No gateway is available"],
  ],
  [
    "the only gateway was stopped on purpose",
    { processes: [process("gateway", { seenAt: ago(60), endedAt: ago(60) }), process("worker")] },
    ["danger: No gateway is available"],
  ],
  [
    "one of two workers went without a word",
    { processes: [...ALL, process("worker", { host: "two", seenAt: ago(600) })] },
    ["warning: A worker stopped reporting"],
  ],
  [
    "it went an hour ago",
    { processes: [...ALL, process("worker", { host: "two", seenAt: ago(3_700) })] },
    [],
  ],
  [
    "it was started again on its machine",
    {
      processes: [
        ...ALL.slice(0, 2),
        process("worker", { seenAt: ago(DAY) }),
        process("worker", { startedAt: ago(60) }),
      ],
    },
    [],
  ],
  [
    "one of two workers was stopped on purpose",
    { processes: [...ALL, process("worker", { host: "two", seenAt: ago(20), endedAt: ago(20) })] },
    [],
  ],
  [
    "two releases work",
    { processes: [...ALL, process("worker", { release: "1.1.0" })] },
    ["warning: Parts of 2 releases are running"],
  ],
  [
    "the other release has ended",
    { processes: [...ALL, process("worker", { release: "0.9.0", seenAt: ago(60), endedAt: ago(60) })] },
    [],
  ],
  ["the database was not migrated", { schema: "older" }, ["danger: The database is older than the release"]],
  ["a newer release migrated", { schema: "newer" }, ["warning: The database is newer than the release"]],
  [
    "events are late",
    { queues: [{ queue: "deliveries", due: 9, leased: 0, oldestSeconds: 61 }] },
    ["danger: Events are late"],
  ],
  [
    "all on one machine fail, and others are healthy",
    { nodes: [machine("one", { healthy: 4 }), machine("two", { failing: 3, starting: 1 })] },
    ["danger: All 3 apps on one machine fail their health checks"],
  ],
  [
    "all fail everywhere, some on each machine do, or a single one does",
    { nodes: [machine("one", { failing: 4 }), machine("two", { failing: 3 })] },
    [],
  ],
  [
    "some on a machine fail",
    { nodes: [machine("one", { healthy: 4 }), machine("two", { healthy: 1, failing: 3 })] },
    [],
  ],
  ["a single app fails", { nodes: [machine("one", { healthy: 4 }), machine("two", { failing: 1 })] }, []],
  ["mails wait a while", { queues: [{ queue: "mails", due: 9, leased: 0, oldestSeconds: 600 }] }, []],
  [
    "mails are late",
    { queues: [{ queue: "mails", due: 9, leased: 0, oldestSeconds: 901 }] },
    ["warning: Emails are late"],
  ],
  [
    "the platform is on hold, so everything is late",
    {
      hold: { backedUpAt: ago(DAY), restoredAt: ago(DAY) },
      queues: [{ queue: "deliveries", due: 9, leased: 0, oldestSeconds: DAY }],
    },
    ["warning: The platform is on hold"],
  ],
  [
    "the registry is away",
    { store: { ...healthy.store, name: "registry", disk: null, problem: "It can't be reached." } },
    ["danger: The image store doesn't respond"],
  ],
  [
    "the disk fills up",
    { store: { ...healthy.store, disk: { freeBytes: 8e9, totalBytes: 100e9 } } },
    ["warning: The image store's disk is almost full"],
  ],
  [
    "the disk is full",
    { store: { ...healthy.store, disk: { freeBytes: 0, totalBytes: 100e9 } } },
    ["danger: The image store's disk is almost full"],
  ],
  [
    "a rotation was not finished",
    { masterKeys: [...healthy.masterKeys, { id: "k0", isCurrent: false, isPresent: true, wraps: 1 }] },
    ["warning: The rotation of the master keys is not complete"],
  ],
  [
    "a key was removed too early",
    { masterKeys: [...healthy.masterKeys, { id: "k0", isCurrent: false, isPresent: false, wraps: 1 }] },
    ["danger: The master key k0 is missing"],
  ],
  [
    "certificates end",
    {
      certificates: [
        { of: "the pages", validUntil: ago(-20 * DAY) },
        { of: "the registry", validUntil: ago(-3 * DAY) },
        { of: "the database", validUntil: ago(1) },
      ],
    },
    [
      "danger: The certificate of the registry expires soon",
      "danger: The certificate of the database has expired",
      "warning: The certificate of the pages expires soon",
    ],
  ],
  ["nobody made a backup", { backup: null }, ["warning: No backup has been made yet"]],
  [
    "the timer of backups stopped",
    { backup: { id: "b", takenAt: ago(3 * DAY), bytes: 1, lostBlobs: 2, checkedAt: null } },
    ["warning: The last backup is old", "warning: The store has lost images"],
  ],
  [
    "the timer of backups stopped long ago",
    { backup: { id: "b", takenAt: ago(8 * DAY), bytes: 1, lostBlobs: 0, checkedAt: null } },
    ["danger: The last backup is old"],
  ],
])("%s", (_what, changes, expected) => {
  expect(judge(changes)).toEqual(expected);
});

test("what needs attention leads to its section, and says since when", () => {
  const seenAt = ago(60);
  const [found] = listOperationAttention({
    ...healthy,
    processes: [process("gateway", { seenAt }), process("worker")],
  });
  expect(found).toMatchObject({ href: "#parts", action: "Show", at: seenAt });
  const [never] = listOperationAttention({ ...healthy, processes: [process("gateway")] });
  expect(never?.at).toBeUndefined();
});

test("processes are listed by part and age, without those that were replaced or ended", () => {
  const listed = listProcesses({
    now: NOW,
    processes: [
      process("worker", { id: "new", startedAt: ago(10) }),
      process("worker", { id: "old" }),
      process("worker", { id: "replaced", startedAt: ago(DAY), seenAt: ago(60) }),
      process("worker", { id: "lost", host: "two", seenAt: ago(60) }),
      process("gateway", { id: "ending", seenAt: ago(5), endedAt: ago(5) }),
      process("gateway", { id: "ended", seenAt: ago(50), endedAt: ago(50) }),
      // Of an earlier release, which reported neither its machine nor that it ended.
      process("gateway", { id: "earlier", host: null, release: null, seenAt: ago(600) }),
      process("gateway", { id: "its successor", startedAt: ago(500) }),
      process("web", { id: "web" }),
    ],
  });
  expect(listed.map(({ id }) => id)).toEqual(["web", "ending", "its successor", "old", "lost", "new"]);
  expect(listed.map((one) => stateOf(one, NOW))).toContain("ending");
});

test.each([
  [1, "1 second"],
  [119, "119 seconds"],
  [125, "2 minutes"],
  [7_300, "2 hours"],
  [200_000, "2 days"],
])("%d seconds are %s", (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});
