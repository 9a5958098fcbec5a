import { Card } from "@/components/ui/card";
import type { ListingText as Text } from "@/lib/contract/listing";
import { Markdown } from "./markdown";

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
  const aboutParts = ABOUT.map(([name, title]) => ({ title, text: about[name] }));
  const requirementParts = REQUIREMENTS.map(([name, title]) => ({ title, text: requirements[name] }));
  return (
    <>
      <Parts title="About" parts={aboutParts} />
      <Parts title="Requirements" parts={requirementParts} />
    </>
  );
}

function Parts({ title, parts }: { title: string; parts: { title: string; text: string }[] }) {
  const filled = parts.filter(({ text }) => text.trim() !== "");
  if (filled.length === 0) return null;
  return (
    <Card title={title}>
      <div className="space-y-6">
        {filled.map((part) => (
          <section key={part.title}>
            <h3 className="mb-1 text-[13px] font-medium text-ink">{part.title}</h3>
            <Markdown>{part.text}</Markdown>
          </section>
        ))}
      </div>
    </Card>
  );
}
