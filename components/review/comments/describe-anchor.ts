import { CHECK_NAMES } from "@/lib/contract/check-names";
import type { CommentView } from "@/lib/contract/review";
import { CHECK_TITLES } from "@/lib/domain/evidence/verdict";
import { TEXT_FIELD_LABELS } from "@/lib/domain/listing-text";

/** What a comment is about, such as “Line 12 of the manifest”. */
export function describeAnchor(anchor: NonNullable<CommentView["anchor"]>): string {
  if (anchor.type === "manifest") return `Line ${anchor.line} of the manifest`;
  if (anchor.type === "check") {
    const name = CHECK_NAMES.find((each) => each === anchor.quote);
    return `Check: ${name === undefined ? anchor.quote : CHECK_TITLES[name]}`;
  }
  return anchor.field === undefined ? "Listing text" : `Listing text: ${TEXT_FIELD_LABELS[anchor.field]}`;
}
