import Markdown, { type Components, type UrlTransform } from "react-markdown";
import remarkGfm from "remark-gfm";

interface MarkdownTextProps {
  children: string;
  components: Components;
  urlTransform?: UrlTransform;
}

/** What all Markdown has in common: tables and lists of tasks as on GitHub, and no raw HTML. */
const SHARED: Components = {
  code: ({ children, className }) => (
    <code translate="no" className={className}>
      {children}
    </code>
  ),
  input: ({ checked }) => <span>{checked === true ? "☑ " : "☐ "}</span>,
};

export function MarkdownText({ children, components, urlTransform }: MarkdownTextProps) {
  return (
    <Markdown
      remarkPlugins={[remarkGfm]}
      components={{ ...SHARED, ...components }}
      urlTransform={urlTransform}
      skipHtml
    >
      {children}
    </Markdown>
  );
}
