import { memberOf } from "@/lib/domain/manifest/finding";
import { pointerTo } from "@/lib/contract/pointer";
import type { Entry } from "@/lib/domain/manifest/outline-manifest";
import type { EditorStore } from "../editor-store";
import { entryTitle } from "../entry-actions";
import { wordOf } from "../entry-words";
import type { Command } from "./command";

/** One that goes to each entry, by its title and its name. */
export function entryCommands(store: EditorStore): Command[] {
  return store.state().outline.entries.map((entry) => ({
    id: entry.id,
    title: titleOf(entry),
    group: "Go to",
    run: () => {
      const { line, column } = placeOf(store.state().outline.entriesText, entry.offset);
      store.jumpTo({ code: "", message: "", pointer: pointerTo(...entry.path), line, column });
    },
  }));
}

function titleOf(entry: Entry): string {
  const title = entryTitle(entry);
  const name = memberOf(entry.value, "name") ?? memberOf(entry.value, "path");
  const known = typeof name === "string" && name !== title ? `, ${name.slice(0, 80)}` : "";
  return `${title} (${wordOf(entry.kind)}${known})`;
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - start + 1 };
}
