import type { ConfigurationChange, RevisionView, SecretLedger } from "@/lib/contract/configuration-view";

/** Why a revision was written, such as "Rolled back to 1.0.0". */
export function causeWords({
  cause,
  version,
  restoredFrom,
}: Pick<RevisionView, "cause" | "version" | "restoredFrom">): string {
  switch (cause) {
    case "launch":
      return "Launched";
    case "configure":
      return "Configured";
    case "restore":
      return restoredFrom === null ? "Restored" : `Restored revision ${restoredFrom}`;
    case "upgrade":
      return `Upgraded to ${version}`;
    case "rollback":
      return `Rolled back to ${version}`;
  }
}

/** Of a revision that changed more than a page can tell. */
export function notShownWords(shown: number, more: number): string {
  const [all, rest] = [shown + more, more].map((count) => count.toLocaleString("en-US"));
  return `${all} differences in all: the last ${rest} of them are not shown.`;
}

type Secret = Extract<ConfigurationChange, { kind: "secret" }>;

export const SECRET_CHANGE_WORDS: Record<Secret["change"], string> = {
  set: "was set",
  replaced: "was replaced",
  cleared: "was cleared",
};

type Entry = SecretLedger["entries"][number];

/** What happened, where it is not only what somebody pressed. */
export const LEDGER_WORDS: Record<Entry["action"], { text: string; detail?: string }> = {
  set: { text: "Set" },
  kept: { text: "Kept" },
  replaced: { text: "Replaced" },
  cleared: { text: "Cleared" },
  dropped: { text: "Dropped", detail: "The version that came then does not ask for it." },
  removed: { text: "Removed", detail: "The app was uninstalled." },
};

/** What one person only kept, save after save, is drawn as one line. Newest first, as the entries come. */
export function foldKept(entries: readonly Entry[]): { entry: Entry; more: Entry[] }[] {
  const folded: { entry: Entry; more: Entry[] }[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    const repeated = entry.action === "kept" && last?.entry.action === "kept" && last.entry.by === entry.by;
    if (repeated) last.more.push(entry);
    else folded.push({ entry, more: [] });
  }
  return folded;
}
