import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import {
  type Checkpoint,
  createCheckpointWriter,
  parseCheckpoints,
  verifyCheckpoints,
} from "./audit-checkpoints";
import { newMasterKey, readKeyring } from "./keyring";
import { recordAudit } from "./record-audit";
import { rotateKeys } from "./rotate-keys";
import { verifyAudit } from "./verify-audit";

const [OLD, NEW] = [newMasterKey("old"), newMasterKey("new")];
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: OLD });

async function record(chain: string, rows: number): Promise<void> {
  for (let row = 0; row < rows; row += 1)
    await platform.db.transaction((tx) =>
      recordAudit(tx, platform.keyring, {
        chain,
        actor: "user:1",
        action: "listing.create",
        subject: "listing:1",
      }),
    );
}

let lines: string[];
beforeEach(() => {
  lines = [];
});
/** An operator's log that shows errors only. */
const log = pino({ level: "error" }, { write: (line) => void lines.push(line) });
const logged = { ...platform, log };
const errors = () =>
  lines.map((line) => JSON.parse(line)).flatMap(({ level, msg }) => (level === 50 ? [msg] : []));
const anchors = () => parseCheckpoints(lines.join(""));

/** What a worker's log contains after it has written its checkpoints. */
async function anchor(): Promise<Checkpoint[]> {
  await createCheckpointWriter(logged, 0)();
  return parseCheckpoints(`{"level":30,"msg":"other"}\n${lines.join("")}`);
}

const reasons = async (checkpoints: readonly Checkpoint[]) =>
  (await verifyCheckpoints(platform, checkpoints)).map(
    ({ checkpoint: { chain, position }, reason }) => `${chain} ${position}: ${reason}`,
  );

test("a writer anchors each trail that grew, once, and at most once in its period", async () => {
  await record("acme", 2);
  await record("harbor", 1);
  const write = createCheckpointWriter(logged, 0);
  await write();
  expect(anchors().map(({ chain, position }) => [chain, position])).toEqual([
    ["acme", 2],
    ["harbor", 1],
  ]);
  await write();
  expect(lines).toHaveLength(2);
  await record("harbor", 1);
  await write();
  const checkpoints = anchors();
  expect(checkpoints.at(-1)).toMatchObject({ chain: "harbor", position: 2 });
  expect(checkpoints).toHaveLength(3);
  expect(await verifyCheckpoints(platform, checkpoints)).toEqual([]);
  const hourly = createCheckpointWriter(logged, 3_600_000);
  await hourly();
  await record("acme", 1);
  await hourly();
  expect(lines).toHaveLength(5);
  expect(errors()).toEqual([]);
});

// Guarantee (P13): what a copy of the database can put back consistently is still found.
test("a tail that is cut together with an older head is found", async () => {
  await record("acme", 3);
  const { rows: backup } = await platform.pool.query("select * from audit_heads");
  await record("acme", 2);
  const checkpoints = await anchor();
  await platform.pool.query("delete from audit where position > 3");
  await platform.pool.query("update audit_heads set position = $1, seal = $2, head_seal = $3", [
    backup[0].position,
    backup[0].seal,
    backup[0].head_seal,
  ]);
  // The trail alone shows nothing.
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 3 });
  expect(await reasons(checkpoints)).toEqual(["acme 5: the trail ends at row 3: its tail was cut"]);
  // Growing again doesn't hide it.
  await record("acme", 4);
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 7 });
  expect(await reasons(checkpoints)).toEqual(["acme 5: another row is in its place: the trail was replaced"]);
});

test("a whole trail that is gone is found, by the file and by a worker that runs", async () => {
  await record("acme", 2);
  await record("harbor", 2);
  const write = createCheckpointWriter(logged, 0);
  await write();
  const checkpoints = anchors();
  await platform.pool.query("delete from audit where chain = 'acme'");
  await platform.pool.query("delete from audit_heads where chain = 'acme'");
  expect(await reasons(checkpoints)).toEqual(["acme 2: the whole trail is gone"]);
  await write();
  expect(errors()).toEqual(["the audit trail of acme had 2 rows, and is gone: run npm run audit:verify"]);
});

test("a changed line, a foreign one, and a head that was forged are found", async () => {
  await record("acme", 2);
  const [checkpoint] = await anchor();
  if (checkpoint === undefined) throw new Error("no checkpoint");
  const wrong = "acme 2: its signature is wrong: the line or the audit key was changed";
  expect(await reasons([{ ...checkpoint, at: "2020-01-01T00:00:00.000Z" }])).toEqual([wrong]);
  expect(await reasons([{ ...checkpoint, signature: checkpoint.seal }])).toEqual([wrong]);
  expect(await reasons([{ ...checkpoint, signature: "other:1" }])).toEqual([
    "acme 2: the audit key 'other' is missing",
  ]);
  await platform.pool.query("update audit_heads set position = 9");
  lines = [];
  expect(await anchor()).toEqual([]);
  expect(errors()).toEqual(["the head of the audit trail of acme was changed: run npm run audit:verify"]);
});

test("checkpoints from before a rotation stay valid", async () => {
  await record("acme", 2);
  const checkpoints = await anchor();
  const rotated = { ...platform, keyring: readKeyring(`${NEW},${OLD}`) };
  await rotateKeys(rotated, { dryRun: false });
  const later = { ...platform, keyring: readKeyring(NEW) };
  expect(await verifyCheckpoints(later, checkpoints)).toEqual([]);
});

test("a missing master key is not taken for a change", async () => {
  await record("acme", 1);
  const checkpoints = await anchor();
  lines = [];
  const other = { ...logged, keyring: readKeyring(newMasterKey("other")) };
  await expect(createCheckpointWriter(other, 0)()).rejects.toThrow("lacks the key 'old'");
  expect(errors()).toEqual([]);
  await expect(verifyCheckpoints(other, checkpoints)).rejects.toThrow("lacks the key 'old'");
});
