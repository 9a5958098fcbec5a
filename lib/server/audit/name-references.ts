/** Names for the ids in audit trails. */
import type { Db } from "../database/connect";
import { selectNames } from "./name-queries";
import type { AuditScope } from "./read-queries";

export type Names = (reference: string) => string;

/** Actors that are neither a person nor a key. */
const OTHERS: Record<string, string> = {
  worker: "The platform",
  platform: "The platform",
  "operator:command": "An operator of the platform",
  "operator:launcher": "The platform’s set-up",
};

const NOUNS: Record<string, string> = {
  "api-key": "API key",
  "core-credential": "core credential",
  "manifest-draft": "manifest draft",
};

/** Reads the names of all references at once. What no longer exists is named by its kind and the start of its id. */
export async function nameReferences(
  db: Db,
  scope: AuditScope,
  references: readonly string[],
): Promise<Names> {
  const idsByKind = new Map<string, Set<string>>();
  for (const reference of references) {
    const [kind = "", id = ""] = reference.split(":");
    idsByKind.set(kind, (idsByKind.get(kind) ?? new Set()).add(id));
  }
  const names = new Map<string, string>();
  await Promise.all(
    [...idsByKind].map(async ([kind, ids]) => {
      for (const { id, name } of await selectNames(db, scope, kind, [...ids]))
        names.set(`${kind}:${id}`, name);
    }),
  );
  return (reference) => OTHERS[reference] ?? names.get(reference) ?? describe(reference);
}

function describe(reference: string): string {
  const [kind = "", id = ""] = reference.split(":");
  const noun = NOUNS[kind] ?? kind;
  return id === "" ? noun : `${noun} ${id.slice(0, 8)}`;
}
