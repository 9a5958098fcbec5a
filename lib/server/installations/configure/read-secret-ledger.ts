import type { SecretLedger } from "@/lib/contract/configuration-view";
import { isSensitive, listSettings } from "@/lib/contract/manifest-terms";
import type { Member } from "@/lib/domain/actor";
import { selectConfiguration } from "../../configurations/queries";
import {
  selectDeclaringVersions,
  selectSecretEvents,
  selectSecretReads,
} from "../../configurations/secret-queries";
import type { Platform } from "../../platform/platform";
import { requireInstallation } from "../queries";

/** Per secret. */
const MAX_ENTRIES = 50;

/**
 * What was done with each secret of an installation, by whom and when; never a value, a length or a prefix. Secrets of the
 * current version come first, then former ones. Throws NOT_FOUND for an installation of another organization.
 */
export async function readSecretLedger(
  platform: Platform,
  member: Member,
  id: string,
): Promise<SecretLedger[]> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const [stored, events, reads, versions] = await Promise.all([
    selectConfiguration(db, id, found.revision),
    selectSecretEvents(db, id, MAX_ENTRIES),
    selectSecretReads(db, id),
    selectDeclaringVersions(db, id),
  ]);
  const values = new Map(Object.entries(stored.settings));
  // Titles of the current version take precedence.
  const settings = [found.manifest, ...versions.map(({ manifest }) => manifest)].flatMap((each) =>
    listSettings(each),
  );
  const names = new Set([
    ...listSettings(found.manifest)
      .filter(isSensitive)
      .map(({ name }) => name),
    ...[...values].filter(([, { kind }]) => kind === "sealed").map(([name]) => name),
    ...events.map(({ name }) => name),
  ]);
  return [...names].map((name) => {
    const value = values.get(name);
    // A value that was kept over several revisions counts as read if any of them was.
    const read =
      value?.kind === "sealed"
        ? reads.find((each) => each.name === name && each.setIn === value.setIn)
        : undefined;
    return {
      name,
      title: settings.find((setting) => setting.name === name)?.title ?? name,
      configured: value?.kind === "sealed",
      lastReadAt: read === undefined ? null : new Date(read.lastReadMs).toISOString(),
      entries: events
        .filter((event) => event.name === name)
        .map(({ action, revision, at, by }) => ({ action, revision, at: at.toISOString(), by })),
    };
  });
}
