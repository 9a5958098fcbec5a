import type { ListingInput } from "@/lib/contract/listing";
import { Card } from "@/components/ui/card";
import { Prose } from "./prose";

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

/** A listing's about and requirements; parts that the publisher left empty are not drawn. */
export function ListingText({ about, requirements }: Pick<ListingInput, "about" | "requirements">) {
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
