import { ArrowRight } from "lucide-react";
import { UserText } from "@/components/ui/user-text";

interface BeforeAfterProps {
  before: string | undefined;
  after: string | undefined;
  /** For paths. */
  mono?: boolean;
}

/** Two values that differ. Colour is not all that tells them apart. */
export function BeforeAfter({ before, after, mono = false }: BeforeAfterProps) {
  const look = `min-w-0 rounded-sm px-1.5 wrap-anywhere whitespace-pre-wrap no-underline ${mono ? "font-mono text-xs leading-5" : ""}`;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <del className={`bg-danger-soft text-danger ${look}`}>
        <span className="sr-only">before: </span>
        <Value text={before} />
      </del>
      <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      <ins className={`bg-success-soft text-success ${look}`}>
        <span className="sr-only">after: </span>
        <Value text={after} />
      </ins>
    </span>
  );
}

function Value({ text }: { text: string | undefined }) {
  if (text === undefined) return "skipped";
  return text === "" ? "empty" : <UserText>{text}</UserText>;
}
