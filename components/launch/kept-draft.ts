/** A launch's answers in the browser's storage, until it is launched. Secrets are never among them. */
import { z } from "zod";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import type { LaunchDraft } from "./launch-draft";
import type { LaunchOffer } from "./launch-offer";

const pairs = z.array(z.tuple([z.string(), z.string()]));

const keptDraft = z.object({
  /** The version that the answers were given for. */
  number: z.string(),
  savedAt: z.iso.datetime(),
  tenantId: z.string().optional(),
  settings: pairs,
  paths: pairs,
  /** Names of secrets that were entered: their values must be entered again. */
  secrets: z.array(z.string()),
});

export interface FoundDraft {
  draft: LaunchDraft;
  number: string;
  savedAt: string;
  /** Names of sensitive settings that had a value. */
  secrets: string[];
}

/** Whose, of which app (`<org-name>/<app-name>`), and whether it is a Test Launch. */
export interface DraftOwner {
  userId: string;
  organizationId: string;
  app: string;
  test: boolean;
}

export function keyOfDraft({ userId, organizationId, app, test }: DraftOwner): string {
  return `launch-draft:${JSON.stringify([userId, organizationId, app, test ? "test" : "launch"])}`;
}

/**
 * `secrets`: the names of all that was ever entered as sensitive, which another version may declare as plain.
 * `storage` throws where the browser offers none, as private windows may. False: it is full or closed.
 */
export function keepDraft(
  storage: () => Storage,
  key: string,
  offer: Pick<LaunchOffer, "number" | "settings">,
  draft: LaunchDraft,
  secrets: ReadonlySet<string>,
): boolean {
  const hidden = sensitiveNames(offer.settings, secrets);
  const kept: z.infer<typeof keptDraft> = {
    number: offer.number,
    savedAt: new Date().toISOString(),
    tenantId: draft.tenantId,
    settings: [...draft.settings].filter(([name]) => !hidden.has(name)),
    paths: [...draft.paths],
    secrets: [...secrets],
  };
  try {
    if (isUnanswered(kept)) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** What cannot be read is thrown away; what is sensitive by now is not taken over, and removed. */
export function findDraft(
  storage: () => Storage,
  key: string,
  offer: Pick<LaunchOffer, "number" | "settings">,
): FoundDraft | undefined {
  const kept = readDraft(storage, key);
  if (kept === undefined || isUnanswered(kept)) return undefined;
  const { number, savedAt, tenantId, paths } = kept;
  const hidden = sensitiveNames(offer.settings, kept.secrets);
  const settings = kept.settings.filter(([name]) => !hidden.has(name));
  const exposed = kept.settings.filter(([name]) => hidden.has(name)).map(([name]) => name);
  const secrets = new Set([...kept.secrets, ...exposed]);
  const draft = { tenantId, settings: new Map(settings), paths: new Map(paths) };
  if (exposed.length > 0) keepDraft(storage, key, offer, draft, secrets);
  return { draft, number, savedAt, secrets: [...secrets] };
}

export function forgetDraft(storage: () => Storage, key: string): void {
  try {
    storage().removeItem(key);
  } catch {
    // Storage that cannot be written holds nothing of ours.
  }
}

function readDraft(storage: () => Storage, key: string): z.infer<typeof keptDraft> | undefined {
  try {
    return keptDraft.parse(JSON.parse(storage().getItem(key) ?? ""));
  } catch {
    forgetDraft(storage, key);
    return undefined;
  }
}

/** A tenant alone is chosen again in a moment. */
function isUnanswered({ settings, paths, secrets }: z.infer<typeof keptDraft>): boolean {
  return settings.length === 0 && paths.length === 0 && secrets.length === 0;
}

function sensitiveNames(settings: readonly Setting[], others: Iterable<string>): Set<string> {
  return new Set([...settings.filter(isSensitive).map(({ name }) => name), ...others]);
}
