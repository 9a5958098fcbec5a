"use client";

import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { CodeBlock } from "./code-block";

interface CodeTabsProps {
  /** Names the tabs for screen readers. */
  label: string;
  tabs: readonly { id: string; title: string; code: string; label: string }[];
  maxHeight?: number;
}

/** The same code in several languages. */
export function CodeTabs({ label, tabs, maxHeight }: CodeTabsProps) {
  return (
    <Tabs className="min-w-0">
      <TabList aria-label={label} className="-mt-1 mb-3 flex gap-1 overflow-x-auto">
        {tabs.map(({ id, title }) => (
          <Tab
            key={id}
            id={id}
            className="flex h-8 shrink-0 cursor-pointer items-center rounded-field px-3 text-[13px] text-ink-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 selected:bg-accent-soft selected:font-medium selected:text-accent-text"
          >
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="min-w-0 outline-offset-2">
          <CodeBlock code={tab.code} label={tab.label} maxHeight={maxHeight} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
