"use client";

import { useFormContext } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { FormTextArea } from "@/components/ui/forms/form-fields";
import type { ListingText } from "@/lib/contract/catalog/listing";

type Prose = Pick<ListingText, "about" | "requirements">;

/** As much as a draft keeps. What may be published is shorter, and said at the field. */
const PROSE = 40_000;

const ABOUT = [
  {
    name: "about.product",
    label: "Product",
    hint: "What the app does, and for whom.",
    isRequired: true,
  },
  { name: "about.offering", label: "Offering", hint: "What customers get: plans, prices, support." },
  { name: "about.company", label: "Company", hint: "Who you are and how customers reach you." },
] as const;

const REQUIREMENTS = [
  {
    name: "requirements.technicalDetails",
    label: "Technical details",
    hint: "Accounts, keys, and product fields that the app needs.",
  },
  {
    name: "requirements.launchInstructions",
    label: "Launch instructions",
    hint: "What customers need before launch, and what to check once the app runs.",
  },
  {
    name: "requirements.complianceDetails",
    label: "Compliance details",
    hint: "Where data goes, how long it is kept, certifications.",
  },
] as const;

/** The prose of a listing, in any form that has it. */
export function AboutFields() {
  return <ProseCard title="About" parts={ABOUT} />;
}

export function RequirementFields() {
  return <ProseCard title="Requirements" parts={REQUIREMENTS} />;
}

function ProseCard({ title, parts }: { title: string; parts: typeof ABOUT | typeof REQUIREMENTS }) {
  const { control } = useFormContext<Prose>();
  return (
    <Card title={title} description="Markdown, without HTML or images. Links must start with https://.">
      <div className="flex flex-col gap-5">
        {parts.map((part) => (
          <FormTextArea key={part.name} control={control} maxLength={PROSE} rows={5} {...part} />
        ))}
      </div>
    </Card>
  );
}
