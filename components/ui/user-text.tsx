/** Marks that turn what follows: in a list of changes they are read as marks, not obeyed. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** A publisher's text among our words: it cannot turn them, nor itself read as something else. */
export function UserText({ children, className }: { children: string; className?: string }) {
  return <bdi className={className}>{withMarksShown(children)}</bdi>;
}

export function withMarksShown(text: string): string {
  return text.replace(TURNING, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`);
}
