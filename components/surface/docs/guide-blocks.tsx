import { cloneElement, isValidElement, type ReactElement, type ReactNode } from "react";
import { type Components, defaultUrlTransform } from "react-markdown";
import { TextLink } from "@/components/ui/links";
import { MarkdownText } from "@/components/ui/markdown-text";
import { CodeTabs } from "@/components/ui/technical-text";
import { type GuideBlock, type GuideFence, type GuideHeading, plainText } from "@/lib/domain/surface/guide";
import { CodeFence } from "./code-fence";

export function GuideBlocks({ blocks }: { blocks: readonly GuideBlock[] }) {
  return groupTabs(blocks).map((block) => {
    const key = block.line;
    if (block.kind === "tabs") return <CodeTabs key={key} id={`tabs-${key}`} tabs={block.tabs.map(toTab)} />;
    if (block.kind === "heading") return <GuideHeadingLine key={key} {...block} />;
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

/** The mark behind it links to it. `components/surface/docs/docs-controls.tsx` also copies the link. */
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
        className="ml-2 rounded-sm px-1 font-normal text-ink-faint opacity-0 group-hover:opacity-100 hover:text-accent-text focus-visible:opacity-100 print:hidden any-pointer-coarse:opacity-100"
      >
        #
      </a>
    </Heading>
  );
}

function toTab({ title, block }: { title: string; block: GuideFence }) {
  return { title, code: <CodeFence code={block.code} fence={block.fence} label={`${title} code`} /> };
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

/** Our own texts: links lead anywhere, and headings are drawn by the page. */
const COMPONENTS: Components = {
  p: ({ children }) => <p className="leading-7">{children}</p>,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-2 pl-5 leading-7">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-2 pl-5 leading-7">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="pl-1 [&>*+*]:mt-3">{children}</li>,
  strong: ({ children }) => <strong className="font-semibold text-ink">{children}</strong>,
  code: ({ children }) => (
    <code
      translate="no"
      className="rounded bg-subtle px-1 py-0.5 font-mono text-[0.9em] wrap-anywhere text-ink"
    >
      {children}
    </code>
  ),
  pre: ({ children }) => <IndentedFence>{children}</IndentedFence>,
  blockquote: ({ children }) => (
    <blockquote className="border-l-2 border-line-strong pl-4 [&>*+*]:mt-3">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  a: ({ children, href = "" }) =>
    href.startsWith("/") ? (
      <TextLink href={href}>{children}</TextLink>
    ) : (
      <a
        href={href}
        className="rounded-sm text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-accent-text"
      >
        {children}
      </a>
    ),
  table: ({ children }) => (
    <div
      role="region"
      aria-label="Table"
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line -outline-offset-2"
    >
      <table className="w-full border-collapse text-left text-small leading-5">{children}</table>
    </div>
  ),
  th: ({ children }) => (
    <th
      scope="col"
      className="border-b border-line bg-subtle px-4 py-2 text-xs font-medium whitespace-nowrap text-ink-faint"
    >
      {children}
    </th>
  ),
  td: ({ children }) => (
    <td className="min-w-24 border-t border-line px-4 py-2.5 align-top [&_code]:wrap-normal">{children}</td>
  ),
};

const INLINE: Components = { ...COMPONENTS, p: ({ children }) => <>{children}</> };

export function GuideText({ children, inline = false }: { children: string; inline?: boolean }) {
  return (
    <MarkdownText components={inline ? INLINE : COMPONENTS} urlTransform={defaultUrlTransform}>
      {/* A heading such as "1. Create the app" is not a list. */}
      {inline ? children.replace(/^(\d+)\./, "$1\\.") : children}
    </MarkdownText>
  );
}

/** A fence within a list. */
function IndentedFence({ children }: { children: ReactNode }) {
  if (!isCode(children)) return <pre translate="no">{children}</pre>;
  const { className = "", children: code } = children.props;
  const language = /language-(\S+)/.exec(className)?.[1] ?? "";
  if (typeof code !== "string") return <pre translate="no">{cloneElement(children)}</pre>;
  return (
    <CodeFence
      code={code.trimEnd()}
      fence={{ language, words: [], attributes: {} }}
      label={`${language} code`.trim()}
    />
  );
}

function isCode(node: ReactNode): node is ReactElement<{ className?: string; children?: ReactNode }> {
  return isValidElement(node);
}
