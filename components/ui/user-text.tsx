/** Marks that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A publisher's text within ours. It can't change the direction of our text or disguise itself. */
export function UserText({ children, className }: { children: string; className?: string }) {
  return <bdi className={className}>{showDirectionMarks(children)}</bdi>;
}

export function showDirectionMarks(text: string): string {
  return text.replace(DIRECTION_MARKS, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`);
}
