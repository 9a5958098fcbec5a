import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

/** Publishers' prose: Markdown without raw HTML, pictures or headings that would break the page's outline. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h5>{children}</h5>,
  a: ({ children, href }) => (
    <a href={href} rel="noopener noreferrer nofollow ugc" target="_blank">
      {children}
    </a>
  ),
  // A picture would be fetched from the publisher's server, which would then know who reads.
  img: ({ alt }) => <em>{alt}</em>,
};

export function Prose({ children }: { children: string }) {
  return (
    <div className="prose-plain max-w-prose break-words text-ink-soft">
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS} skipHtml>
        {children}
      </Markdown>
    </div>
  );
}
