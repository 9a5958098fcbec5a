import type { SecretLedger } from "@/lib/contract/configuration-view";
import { isSensitive } from "@/lib/contract/manifest";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { selectInstallation } from "../installations/queries";
import type { Platform } from "../platform/platform";
import { selectConfiguration, type StoredSetting } from "./queries";
import { selectDeclaringVersions, selectSecretEvents, selectSecretReads } from "./secrets/queries";

const ENTRIES = 50;

/**
 * What was done with each secret of an installation, by whom and when; never a value, a length or a prefix. First those
 * that its version declares, then those that it had once. Throws NOT_FOUND for a foreign one.
 */
export async function readSecretLedger(
  platform: Platform,
  member: Member,
  id: string,
): Promise<SecretLedger[]> {
  const { db } = platform;
  const found = isId(id) ? await selectInstallation(db, member.organization.id, id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const [stored, events, reads, versions] = await Promise.all([
    selectConfiguration(db, id, found.revision),
    selectSecretEvents(db, id, ENTRIES),
    selectSecretReads(db, id),
    selectDeclaringVersions(db, id),
  ]);
  if (stored === undefined) throw new Error(`installation ${id} has no revision ${found.revision}`);
  const held = new Map(Object.entries(stored.settings));
  // The version that runs has the last word on titles.
  const settings = [found.manifest, ...versions.map(({ manifest }) => manifest)].flatMap(
    (each) => each.app.fields,
  );
  const known = new Set([
    ...found.manifest.app.fields.filter(isSensitive).map(({ name }) => name),
    ...[...held].filter(([, { kind }]) => kind === "sealed").map(([name]) => name),
    ...events.map(({ name }) => name),
  ]);
  return [...known].map((name) => {
    const value = held.get(name);
    return {
      name,
      title: settings.find((setting) => setting.name === name)?.title ?? name,
      configured: value?.kind === "sealed",
      lastReadAt: lastRead(name, value, reads),
      entries: events
        .filter((event) => event.name === name)
        .map(({ action, revision, at, by }) => ({ action, revision, at: at.toISOString(), by })),
    };
  });
}

/** A value that was kept over several revisions was read when any of them was. */
function lastRead(
  name: string,
  value: StoredSetting | undefined,
  reads: Awaited<ReturnType<typeof selectSecretReads>>,
): string | null {
  if (value?.kind !== "sealed") return null;
  const read = reads.find((each) => each.name === name && each.setIn === value.setIn);
  return read === undefined ? null : new Date(read.lastReadMs).toISOString();
}
