import { Info, Lightbulb, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CodeTabs } from "@/components/ui/code-tabs";
import {
  plainText,
  type GuideBlock,
  type GuideFence,
  type GuideHeading,
  type NoteTone,
} from "@/lib/domain/guide/parse-guide";
import { CodeFence } from "./code-fence";
import { GuideText } from "./guide-text";

export function GuideBlocks({ blocks }: { blocks: readonly GuideBlock[] }) {
  return groupTabs(blocks).map((block) => {
    const key = block.line;
    if (block.kind === "tabs") return <CodeTabs key={key} id={`tabs-${key}`} tabs={block.tabs.map(toTab)} />;
    if (block.kind === "heading") return <GuideHeadingLine key={key} {...block} />;
    if (block.kind === "note") return <Note key={key} tone={block.tone} markdown={block.markdown} />;
    if (block.kind === "fence")
      return (
        <CodeFence
          key={key}
          code={block.code}
          fence={block.fence}
          label={`code ${block.line}: ${block.fence.language}`}
        />
      );
    return (
      <div key={key} className="flex min-w-0 flex-col gap-4">
        <GuideText>{block.markdown}</GuideText>
      </div>
    );
  });
}

const SIZES = {
  2: "mt-8 -mb-2 text-xl tracking-tight first:mt-0",
  3: "mt-4 -mb-3 text-base",
  4: "mt-2 -mb-3 text-sm",
} as const;

/** The mark behind it links to it. `components/docs/docs-script.tsx` also copies the link. */
export function GuideHeadingLine({ level, text, id }: Omit<GuideHeading, "kind">): ReactNode {
  const Heading = `h${level}` as const;
  return (
    <Heading
      id={id}
      className={`group scroll-mt-6 font-semibold wrap-anywhere text-ink ${SIZES[level]} print:break-after-avoid`}
    >
      <GuideText inline>{text}</GuideText>
      <a
        href={`#${id}`}
        data-heading-link
        aria-label={`Link to ${plainText(text)}`}
        className="ml-2 rounded-sm px-1 font-normal text-ink-faint opacity-0 group-hover:opacity-100 hover:text-accent-text focus-visible:opacity-100 print:hidden"
      >
        #
      </a>
    </Heading>
  );
}

function toTab({ title, block }: { title: string; block: GuideFence }) {
  return { title, code: <CodeFence code={block.code} fence={block.fence} label={`${title} code`} /> };
}

const NOTES: Record<NoteTone, { icon: typeof Info; title: string; box: string; color: string }> = {
  note: { icon: Info, title: "Note", box: "border-line bg-subtle", color: "text-accent-text" },
  tip: {
    icon: Lightbulb,
    title: "Tip",
    box: "border-success-line bg-success-soft",
    color: "text-success",
  },
  warning: {
    icon: TriangleAlert,
    title: "Warning",
    box: "border-warning-line bg-warning-soft",
    color: "text-warning",
  },
};

/** Part of the text, so screen readers don't announce it as they do a `Notice`. */
function Note({ tone, markdown }: { tone: NoteTone; markdown: string }) {
  const { icon: Icon, title, box, color } = NOTES[tone];
  return (
    <aside aria-label={title} className={`flex gap-3 rounded-card border px-4 py-3 ${box}`}>
      <Icon aria-hidden className={`mt-1.5 size-4 shrink-0 ${color}`} />
      <div className="flex min-w-0 flex-col gap-3">
        <GuideText>{markdown}</GuideText>
      </div>
    </aside>
  );
}

const LANGUAGE_NAMES: Record<string, string> = {
  js: "Node.js",
  javascript: "Node.js",
  python: "Python",
  java: "Java",
  go: "Go",
  csharp: "C#",
};

type Tabs = { kind: "tabs"; line: number; tabs: { title: string; block: GuideFence }[] };

/** Neighboring fences that name a tab, or show files of different languages, are one block. */
function groupTabs(blocks: readonly GuideBlock[]): (GuideBlock | Tabs)[] {
  const grouped: (GuideBlock | Tabs)[] = [];
  for (const block of blocks) {
    const title = block.kind === "fence" ? tabTitle(block) : undefined;
    const last = grouped.at(-1);
    if (block.kind !== "fence" || title === undefined) grouped.push(block);
    else if (last?.kind === "tabs" && last.tabs.every((tab) => tab.title !== title))
      last.tabs.push({ title, block });
    else grouped.push({ kind: "tabs", line: block.line, tabs: [{ title, block }] });
  }
  return grouped.map((block) => {
    const [only, ...others] = block.kind === "tabs" ? block.tabs : [];
    return only === undefined || others.length > 0 ? block : { ...only.block, line: block.line };
  });
}

function tabTitle({ fence: { language, attributes } }: GuideFence): string | undefined {
  return attributes.tab ?? (attributes.file === undefined ? undefined : LANGUAGE_NAMES[language]);
}
