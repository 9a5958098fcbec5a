import { Button } from "react-aria-components";

export interface ReviewFact {
  title: string;
  shown: string;
  isCode?: boolean;
  isFaint?: boolean;
  /** What should be looked at again. */
  warning?: string;
  /** Where it is answered; without one it cannot be changed. */
  pointer?: string;
}

interface ReviewFactsProps {
  title: string;
  facts: readonly ReviewFact[];
  onChange: (pointer: string) => void;
}

/** What was answered in one step. */
export function ReviewFacts({ title, facts, onChange }: ReviewFactsProps) {
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-medium break-words text-ink">{title}</h3>
      <dl className="divide-y divide-line rounded-field border border-line">
        {facts.map((fact, index) => (
          <div key={index} className="flex flex-col gap-x-6 gap-y-0.5 px-4 py-2 sm:flex-row">
            <dt className="text-[13px] leading-6 break-words text-ink-faint sm:w-48 sm:shrink-0">
              {fact.title}
            </dt>
            <dd className="flex min-w-0 flex-1 items-start justify-between gap-x-4 leading-6">
              <span
                className={`min-w-0 break-words whitespace-pre-wrap ${fact.isFaint === true ? "text-ink-faint" : "text-ink"} ${fact.isCode === true ? "font-mono text-[13px] break-all" : ""}`}
              >
                {fact.shown}
                {fact.warning !== undefined && (
                  <span className="block font-sans text-[13px] text-warning">{fact.warning}</span>
                )}
              </span>
              {fact.pointer !== undefined && (
                <Change fact={fact} pointer={fact.pointer} onChange={onChange} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ChangeProps extends Pick<ReviewFactsProps, "onChange"> {
  fact: ReviewFact;
  pointer: string;
}

function Change({ fact, pointer, onChange }: ChangeProps) {
  return (
    <Button
      aria-label={`Change ${fact.title}`}
      onPress={() => onChange(pointer)}
      className="-mx-2 h-6 shrink-0 cursor-pointer rounded-field px-2 text-[13px] text-accent-text hover:bg-hover"
    >
      Change
    </Button>
  );
}
