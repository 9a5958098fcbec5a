import { cloneElement, isValidElement, type ReactElement, type ReactNode } from "react";
import { defaultUrlTransform, type Components } from "react-markdown";
import { MarkdownText } from "@/components/ui/markdown-text";
import { TextLink } from "@/components/ui/text-link";
import { CodeFence } from "./code-fence";

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
    <code className="rounded bg-subtle px-1 py-0.5 font-mono text-[0.9em] wrap-anywhere text-ink">
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
      <TextLink href={href} prefetch={false}>
        {children}
      </TextLink>
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
      <table className="w-full border-collapse text-left text-[13px] leading-5">{children}</table>
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
  if (!isCode(children)) return <pre>{children}</pre>;
  const { className = "", children: code } = children.props;
  const language = /language-(\S+)/.exec(className)?.[1] ?? "";
  if (typeof code !== "string") return <pre>{cloneElement(children)}</pre>;
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
