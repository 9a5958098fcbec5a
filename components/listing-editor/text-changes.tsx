import { UserText } from "@/components/ui/user-text";
import type { TextChange } from "@/lib/domain/listing-text";

/** Each field that differs, with the public text and the new one. */
export function TextChanges({ changes }: { changes: readonly TextChange[] }) {
  return (
    <dl className="flex flex-col gap-4">
      {changes.map(({ name, label, before, after }) => (
        <div key={name} className="min-w-0">
          <dt className="mb-1 text-[13px] font-medium text-ink">{label}</dt>
          <Side word="Before" text={before} tone="border-danger-line bg-danger-soft" />
          <Side word="After" text={after} tone="border-success-line bg-success-soft" />
        </div>
      ))}
    </dl>
  );
}

function Side({ word, text, tone }: { word: string; text: string; tone: string }) {
  return (
    <dd className={`border-l-2 px-3 py-1.5 text-[13px] leading-5 wrap-anywhere whitespace-pre-wrap ${tone}`}>
      <span className="sr-only">{word}: </span>
      {text === "" ? <span className="text-ink-faint italic">Empty</span> : <UserText>{text}</UserText>}
    </dd>
  );
}
