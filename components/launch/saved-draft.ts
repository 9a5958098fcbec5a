/** Saves a launch's answers in the browser's storage until it is launched. Never saves secrets. */
import type { Setting } from "@/lib/contract/manifest";
import { isSensitive } from "@/lib/contract/manifest-terms";
import { settingPointer } from "@/lib/domain/configuration";
import { isRecord } from "@/lib/domain/json-text/json-value";
import type { LaunchDraft, LaunchOffer } from "./launch-draft";

interface SavedDraft {
  /** The version that the answers were given for. */
  number: string;
  /** ISO 8601. */
  savedAt: string;
  tenantId?: string;
  /** Pointer of the draft and text. */
  answers: [string, string][];
  /** Names of secrets that were entered. Their values must be entered again. */
  secrets: string[];
}

export interface FoundDraft {
  draft: LaunchDraft;
  number: string;
  savedAt: string;
  /** Names of sensitive settings that had a value. */
  secrets: string[];
}

/** Whose draft it is, of which app (`<org-name>/<app-name>`), and whether it is a Test Launch. */
export interface DraftOwner {
  userId: string;
  organizationId: string;
  app: string;
  test: boolean;
}

export function draftKey({ userId, organizationId, app, test }: DraftOwner): string {
  return `launch-draft:${JSON.stringify([userId, organizationId, app, test ? "test" : "launch"])}`;
}

/**
 * `secrets`: names of all settings that were entered as sensitive; another version may declare them as plain.
 * `storage` throws where the browser offers none, such as in a private window. Returns false if it is full or blocked.
 */
export function saveDraft(
  storage: () => Storage,
  key: string,
  offer: Pick<LaunchOffer, "number" | "settings">,
  { tenantId, answers }: LaunchDraft,
  secrets: ReadonlySet<string>,
): boolean {
  const hidden = sensitivePointers(offer.settings, secrets);
  const saved: SavedDraft = {
    number: offer.number,
    savedAt: new Date().toISOString(),
    tenantId,
    answers: [...answers].flatMap(([pointer, { text }]): [string, string][] =>
      text === undefined || hidden.has(pointer) ? [] : [[pointer, text]],
    ),
    secrets: [...secrets],
  };
  try {
    if (isEmpty(saved)) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
}

/** Deletes a draft that cannot be read. An answer to a setting that is sensitive now is dropped and deleted. */
export function findDraft(
  storage: () => Storage,
  key: string,
  offer: Pick<LaunchOffer, "number" | "settings">,
): FoundDraft | undefined {
  const saved = readDraft(storage, key);
  if (saved === undefined || isEmpty(saved)) return undefined;
  const { number, savedAt, tenantId } = saved;
  const hidden = sensitivePointers(offer.settings, saved.secrets);
  const answers = saved.answers.filter(([pointer]) => !hidden.has(pointer));
  const exposed = saved.answers.flatMap(([pointer]) => hidden.get(pointer) ?? []);
  const secrets = new Set([...saved.secrets, ...exposed]);
  const draft: LaunchDraft = {
    tenantId,
    answers: new Map(answers.map(([pointer, text]) => [pointer, { action: "set", text }])),
  };
  if (exposed.length > 0) saveDraft(storage, key, offer, draft, secrets);
  return { draft, number, savedAt, secrets: [...secrets] };
}

export function deleteDraft(storage: () => Storage, key: string): void {
  try {
    storage().removeItem(key);
  } catch {
    // Storage that cannot be written has no draft.
  }
}

function readDraft(storage: () => Storage, key: string): SavedDraft | undefined {
  try {
    const saved: unknown = JSON.parse(storage().getItem(key) ?? "");
    if (isSavedDraft(saved)) return saved;
  } catch {
    // Not JSON, or the browser denies access.
  }
  deleteDraft(storage, key);
  return undefined;
}

/** By hand, because the page does not need zod, which is as large as the page. */
function isSavedDraft(value: unknown): value is SavedDraft {
  if (!isRecord(value)) return false;
  const { number, savedAt, tenantId, answers, secrets } = value;
  return (
    typeof number === "string" &&
    typeof savedAt === "string" &&
    !Number.isNaN(Date.parse(savedAt)) &&
    (tenantId === undefined || typeof tenantId === "string") &&
    Array.isArray(answers) &&
    answers.every((answer) => isTexts(answer) && answer.length === 2) &&
    isTexts(secrets)
  );
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Only a chosen tenant is not worth restoring. */
function isEmpty({ answers, secrets }: SavedDraft): boolean {
  return answers.length === 0 && secrets.length === 0;
}

/** Pointers of all sensitive settings, each with its name. */
function sensitivePointers(settings: readonly Setting[], others: Iterable<string>): Map<string, string> {
  const names = [...settings.filter(isSensitive).map(({ name }) => name), ...others];
  return new Map(names.map((name) => [settingPointer(name), name]));
}
