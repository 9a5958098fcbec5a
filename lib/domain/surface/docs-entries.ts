/** On which part of a page of the documentation an error code or a command is. */
import { type DOCS_PARTS, entryPath } from "@/lib/contract/platform/docs-pages";
import { errorEntryPath } from "@/lib/contract/surface/error-codes";

type CommandPart = (typeof DOCS_PARTS)["cli"][number]["slug"];

/** By their headings in `cli.md` and `json.md`. */
const COMMANDS: Record<CommandPart, readonly string[]> = {
  account: ["login", "logout", "whoami", "profiles-list", "profiles-use", "profiles-remove"],
  development: ["init", "manifest-pull", "manifest-push", "manifest-check", "version", "validate", "call"],
  emulator: ["dev"],
  publishing: ["create", "build", "publish", "open", "status", "versions", "submit", "withdraw"],
  operation: ["logs", "calls-list", "calls-show", "replay", "completion"],
};

const PARTS = new Map(
  Object.entries(COMMANDS).flatMap(([part, ids]) => ids.map((id) => [id, part] as const)),
);

/** The address of an entry whose part is known without reading the text; undefined for anything else. */
export function findWrittenEntry(slug: string, id: string): string | undefined {
  if (slug === "errors") return errorEntryPath(id);
  if (slug !== "cli" && slug !== "json") return undefined;
  const part = PARTS.get(id);
  return part === undefined ? undefined : entryPath(slug, part, id);
}

export function isOnPart(slug: string, part: string, id: string): boolean {
  return findWrittenEntry(slug, id)?.startsWith(`/docs/${slug}/${part}#`) === true;
}
