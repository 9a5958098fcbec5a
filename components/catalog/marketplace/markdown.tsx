import type { Components } from "react-markdown";
import { MarkdownText } from "@/components/ui/markdown-text";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import { isOpenLink, parseHttpsUrl } from "@/lib/contract/catalog/listing";
import { limitNesting } from "@/lib/domain/catalog/markdown";

/** A publisher's Markdown without raw HTML, pictures, or headings that would break the page's outline. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h5>{children}</h5>,
  h6: ({ children }) => <h5>{children}</h5>,
  a: ({ children, href = "" }) => {
    if (href === "") return <span>{children}</span>;
    const host = parseHttpsUrl(href)?.hostname ?? "";
    return (
      <>
        <a href={href} rel="noopener noreferrer nofollow ugc" target="_blank">
          {children}
        </a>
        {/* Letters of another alphabet may look like somebody else's name. */}
        {/(^|\.)xn--/.test(host) && ` (${host})`}
      </>
    );
  },
  // A picture would be fetched from the publisher's server, which would then learn who reads.
  img: ({ alt }) => <em>{alt}</em>,
};

/** Links lead to public websites and mail programs. Texts from before others were refused have them as text. */
function allowUrl(url: string): string {
  return isOpenLink(url) ? url : "";
}

export function Markdown({ children }: { children: string }) {
  return (
    <div dir="auto" className="prose-plain max-w-prose break-words text-ink-soft">
      <MarkdownText components={COMPONENTS} urlTransform={allowUrl}>
        {limitNesting(showDirectionMarks(children))}
      </MarkdownText>
    </div>
  );
}
