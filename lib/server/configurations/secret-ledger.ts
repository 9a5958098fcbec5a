import type { SecretAction } from "@/lib/contract/installation-states";
import type { Setting } from "@/lib/contract/manifest";
import type { Db } from "../database/connect";
import { emptySettings, selectConfiguration, type StoredSetting } from "./queries";
import { insertSecretEvents } from "./secret-queries";

type Stored = ReadonlyMap<string, StoredSetting>;

interface LedgerPage {
  installationId: string;
  revision: number;
  /** The settings that the revision's version declares. */
  declared: readonly Setting[];
  before: Stored;
  after: Stored;
  by: string;
}

/** Records what a revision did with each secret that it, or the revision before, has. */
export async function writeLedger(tx: Db, page: LedgerPage): Promise<void> {
  const { installationId, revision, by } = page;
  const names = new Set([...page.before.keys(), ...page.after.keys()]);
  const rows = [...names].flatMap((name) => {
    const action = secretAction(page, name);
    return action === undefined ? [] : [{ installationId, revision, name, action, by }];
  });
  await insertSecretEvents(tx, rows);
}

function secretAction(
  { before, after, declared, revision }: LedgerPage,
  name: string,
): SecretAction | undefined {
  const [old, now] = [findStored(before, name), findStored(after, name)];
  if (now?.kind === "sealed") {
    if (now.setIn < revision) return "kept";
    return old === undefined ? "set" : "replaced";
  }
  if (old?.kind !== "sealed") return undefined;
  // A plain value that takes its place is not a secret: the secret is gone.
  return declared.some((setting) => setting.name === name) ? "cleared" : "dropped";
}

function findStored(stored: Stored, name: string): StoredSetting | undefined {
  const found = stored.get(name);
  return found?.kind === "gone" ? undefined : found;
}

/** Deletes all values of an uninstalled app. The ledger keeps that there were secrets. */
export async function removeSettings(tx: Db, installationId: string, revision: number): Promise<void> {
  const { settings } = await selectConfiguration(tx, installationId, revision);
  const names = Object.entries(settings).flatMap(([name, { kind }]) => (kind === "sealed" ? [name] : []));
  await insertSecretEvents(
    tx,
    names.map((name) => ({ installationId, revision, name, action: "removed" as const, by: null })),
  );
  await emptySettings(tx, installationId);
}
