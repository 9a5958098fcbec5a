import { showDirectionMarks } from "@/components/ui/user-text";

/** A publisher's text with what was searched for marked, in any case. It can't change the direction of our text. */
export function MarkedText({ text, q }: { text: string; q: string | undefined }) {
  return (
    <bdi>
      {splitMatches(showDirectionMarks(text), q).map((part, index) =>
        index % 2 === 0 ? part : <mark key={index}>{part}</mark>,
      )}
    </bdi>
  );
}

/** Every second part matches. */
export function splitMatches(text: string, q: string | undefined): string[] {
  if (q === undefined) return [text];
  const literal = q.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return text.split(new RegExp(`(${literal})`, "gi"));
}
