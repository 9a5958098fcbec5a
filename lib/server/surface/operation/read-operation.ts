import { type Operation, QUEUE_NAMES, type QueueName } from "@/lib/domain/surface/operation";
import { probeStore } from "../../images/probe-store";
import { compareSchema } from "../../platform/database/availability-queries";
import { selectSigningKeys } from "../../platform/key-queries";
import { readRelease } from "../../platform/machine";
import type { Platform } from "../../platform/platform";
import { countKeyUse } from "../../platform/rotate-keys";
import { selectHold } from "../../platform/hold-queries";
import { selectBackup } from "../backup/backup-queries";
import { type Reading, selectReadings } from "../metrics/metrics-queries";
import { readCertificates } from "./certificates";
import { countInstances, selectProcesses, sumStoredBlobs } from "./operation-queries";

/** What moderators see of the running platform: what metrics say, and what only pages say. Nothing here is a secret, and nothing is a customer's. */
export async function readOperation(platform: Platform): Promise<Operation> {
  const { db, environment } = platform;
  const [seen, schema, release, hold, readings, counted, stored, probe, keys, signing, certificates, backup] =
    await Promise.all([
      selectProcesses(db),
      compareSchema(db),
      readRelease(),
      selectHold(db),
      selectReadings(platform),
      countInstances(db),
      sumStoredBlobs(db),
      probeStore(environment),
      countKeyUse(platform),
      selectSigningKeys(db),
      readCertificates(platform),
      selectBackup(db),
    ]);
  const { id: currentKey } = platform.keyring.current;
  return {
    ...seen,
    release,
    schema,
    hold: hold ?? null,
    queues: listQueues(readings),
    ...counted,
    failing: {
      versions: sum(readings, "parked"),
      installations: sum(readings, "installations"),
      breakers: sum(readings, "breakers"),
    },
    store: { ...stored, ...probe },
    masterKeys: keys.map(({ masterKeyId, present, wraps }) => ({
      id: masterKeyId,
      isCurrent: masterKeyId === currentKey,
      isPresent: present,
      wraps: Object.values(wraps).reduce((total, each) => total + each, 0),
    })),
    signingKeys: signing.map(({ id, createdAt }) => ({ id, createdAt })),
    certificates,
    backup: backup ?? null,
  };
}

function listQueues(readings: readonly Reading[]): Operation["queues"] {
  const names = Object.keys(QUEUE_NAMES).filter((name): name is QueueName => name in QUEUE_NAMES);
  return names.map((queue) => {
    const of = readings.filter(({ label }) => label === queue);
    return {
      queue,
      due: sum(of, "due"),
      leased: sum(of, "leased"),
      oldestSeconds: Math.floor(sum(of, "oldest")),
    };
  });
}

function sum(readings: readonly Reading[], gauge: Reading["gauge"]): number {
  return readings.filter((one) => one.gauge === gauge).reduce((total, { value }) => total + value, 0);
}
