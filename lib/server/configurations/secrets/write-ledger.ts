import type { SecretAction } from "@/lib/contract/installation";
import type { Setting } from "@/lib/contract/manifest";
import type { Db } from "../../database/connect";
import type { StoredSetting } from "../queries";
import { insertSecretEvents } from "./queries";

type Stored = ReadonlyMap<string, StoredSetting>;

export interface LedgerPage {
  installationId: string;
  revision: number;
  /** As the revision's version declares them. */
  declared: readonly Setting[];
  before: Stored;
  after: Stored;
  by: string;
}

/** Says of each secret that a revision has, or that the one before had, what was done with it. */
export async function writeLedger(tx: Db, page: LedgerPage): Promise<void> {
  const { installationId, revision, by } = page;
  const names = new Set([...page.before.keys(), ...page.after.keys()]);
  const rows = [...names].flatMap((name) => {
    const action = actionOn(page, name);
    return action === undefined ? [] : [{ installationId, revision, name, action, by }];
  });
  await insertSecretEvents(tx, rows);
}

function actionOn({ before, after, declared, revision }: LedgerPage, name: string): SecretAction | undefined {
  const [old, now] = [held(before, name), held(after, name)];
  if (now?.kind === "sealed") {
    if (now.setIn < revision) return "kept";
    return old === undefined ? "set" : "replaced";
  }
  if (old?.kind !== "sealed") return undefined;
  // A plain value in its place is no secret: of the secret nothing is left.
  return declared.some((setting) => setting.name === name) ? "cleared" : "dropped";
}

function held(stored: Stored, name: string): StoredSetting | undefined {
  const found = stored.get(name);
  return found?.kind === "gone" ? undefined : found;
}

/** The platform itself removes what an uninstalled app had. */
export async function writeRemoval(
  tx: Db,
  installationId: string,
  revision: number,
  stored: Stored,
): Promise<void> {
  const names = [...stored.keys()].filter((name) => held(stored, name)?.kind === "sealed");
  await insertSecretEvents(
    tx,
    names.map((name) => ({ installationId, revision, name, action: "removed" as const, by: null })),
  );
}
