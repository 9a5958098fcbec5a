/** Three-way merge of two edited texts of one manifest. */
import { pointerTo } from "@/lib/contract/pointer";
import { editText } from "./edit-text";
import { mergeValues } from "./merge-values";
import { editableValue } from "./outline-manifest";

export interface MergedManifest {
  text: string;
  /** Places that both changed, each in its own way: mine is in the text. */
  conflicts: { pointer: string; mine: unknown; theirs: unknown }[];
}

/** Undefined where one of the three is no JSON that can be edited: then people choose one of the texts. */
export function mergeManifests(base: string, mine: string, theirs: string): MergedManifest | undefined {
  const [one, my, their] = [editableValue(base), editableValue(mine), editableValue(theirs)];
  if (one === undefined || my === undefined || their === undefined) return undefined;
  const { value, conflicts } = mergeValues(one, my, their);
  return {
    // Their text is what is edited, so their layout stays where I changed nothing.
    text: editText(theirs, { type: "set", path: [], value }),
    conflicts: conflicts.map(({ path, ...both }) => ({ pointer: pointerTo(...path), ...both })),
  };
}
