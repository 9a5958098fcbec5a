import type { ListingText as Text } from "@/lib/contract/listing";
import { Card } from "@/components/ui/card";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const ABOUT = [
  ["product", "The product"],
  ["offering", "The offering"],
  ["company", "The company"],
] as const;

const REQUIREMENTS = [
  ["technicalDetails", "Technical details"],
  ["launchInstructions", "Launch instructions"],
  ["complianceDetails", "Compliance details"],
] as const;

/** A listing's about and requirements, without the parts that the publisher left empty. */
export function ListingText({ about, requirements }: Pick<Text, "about" | "requirements">) {
  const aboutParts = ABOUT.flatMap(([name, title]) =>
    about[name] === "" ? [] : [{ title, text: about[name] }],
  );
  const requirementParts = REQUIREMENTS.flatMap(([name, title]) =>
    requirements[name] === "" ? [] : [{ title, text: requirements[name] }],
  );
  return (
    <>
      {aboutParts.length > 0 && (
        <Card title="About">
          <Parts parts={aboutParts} />
        </Card>
      )}
      {requirementParts.length > 0 && (
        <Card title="Requirements">
          <Parts parts={requirementParts} />
        </Card>
      )}
    </>
  );
}

function Parts({ parts }: { parts: { title: string; text: string }[] }) {
  return (
    <div className="space-y-6">
      {parts.map((part) => (
        <section key={part.title}>
          <h3 className="mb-1 text-[13px] font-medium text-ink">{part.title}</h3>
          <Prose>{part.text}</Prose>
        </section>
      ))}
    </div>
  );
}

/** A publisher's Markdown without raw HTML, pictures, or headings that would break the page's outline. */
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
  // A picture would be fetched from the publisher's server, which would then learn who reads.
  img: ({ alt }) => <em>{alt}</em>,
};

function Prose({ children }: { children: string }) {
  return (
    <div className="prose-plain max-w-prose break-words text-ink-soft">
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS} skipHtml>
        {children}
      </Markdown>
    </div>
  );
}
