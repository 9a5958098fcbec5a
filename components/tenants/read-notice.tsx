import { UserText } from "@/components/ui/user-text";
import type { ProductsRead } from "@/lib/contract/core";

const KINDS = [
  ["added", "New"],
  ["changed", "Changed"],
  ["removed", "Gone"],
] as const;

/** What reading the products again found, in a sentence for each kind of change. */
export function ReadNotice({ read }: { read: ProductsRead }) {
  const found = KINDS.filter(([kind]) => read[kind].length > 0);
  if (found.length === 0) return <>The core lists what it listed before.</>;
  return found.map(([kind, word]) => (
    <span key={kind} className="block">
      {word}:{" "}
      {read[kind].map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <UserText className="font-medium text-ink">{name}</UserText>
        </span>
      ))}
      .
    </span>
  ));
}
