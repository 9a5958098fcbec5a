import type { ReactNode } from "react";

interface CodeTabsProps {
  /** Apart from all others on the page. */
  id: string;
  tabs: readonly { title: string; code: ReactNode }[];
}

/**
 * The same code in several languages. The tabs are radio buttons, and styles alone show the chosen one, so that it works
 * without JavaScript. On pages of the documentation, `docs-script.tsx` chooses the same language in all others.
 */
export function CodeTabs({ id, tabs }: CodeTabsProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1">
      <legend className="sr-only">Language</legend>
      {tabs.map(({ title, code }, index) => (
        <div key={title} className="contents">
          <input
            type="radio"
            id={`${id}-${index}`}
            name={id}
            value={title}
            data-language-tab
            defaultChecked={index === 0}
            className="peer sr-only"
          />
          <label
            htmlFor={`${id}-${index}`}
            className="flex h-8 cursor-pointer items-center rounded-field px-3 text-[13px] text-ink-soft peer-checked:bg-accent-soft peer-checked:font-medium peer-checked:text-accent-text peer-focus-visible:outline-2 peer-focus-visible:outline-accent-text hover:bg-hover hover:text-ink print:hidden"
          >
            {title}
          </label>
          <div className="order-1 mt-1 hidden w-full min-w-0 peer-checked:block print:block">{code}</div>
        </div>
      ))}
    </fieldset>
  );
}
