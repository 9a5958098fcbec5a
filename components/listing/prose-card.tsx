"use client";

import type { Control } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { FormTextArea } from "@/components/ui/form-fields";
import type { ListingInput } from "@/lib/contract/listing";

interface ProsePart {
  name: `about.${keyof ListingInput["about"]}` | `requirements.${keyof ListingInput["requirements"]}`;
  label: string;
  hint: string;
  isRequired?: boolean;
}

export const ABOUT: ProsePart[] = [
  {
    name: "about.product",
    label: "Product",
    hint: "What the app does, and for whom. The first sentences show in the marketplace.",
    isRequired: true,
  },
  { name: "about.offering", label: "Offering", hint: "What a customer gets: plans, prices, support." },
  { name: "about.company", label: "Company", hint: "Who you are, and where customers reach you." },
];

export const REQUIREMENTS: ProsePart[] = [
  {
    name: "requirements.technicalDetails",
    label: "Technical details",
    hint: "Accounts, keys and product fields that the app needs.",
  },
  {
    name: "requirements.launchInstructions",
    label: "Launch instructions",
    hint: "What to have at hand, and what to check once it runs.",
  },
  {
    name: "requirements.complianceDetails",
    label: "Compliance details",
    hint: "Where data goes, how long it is kept, certificates.",
  },
];

/** The fields of one part of a listing's text. */
export function ProseCard({
  control,
  title,
  parts,
}: {
  control: Control<ListingInput>;
  title: string;
  parts: ProsePart[];
}) {
  return (
    <Card title={title} description="Markdown; HTML is left out.">
      <div className="flex flex-col gap-5">
        {parts.map(({ name, ...part }) => (
          <FormTextArea key={name} control={control} name={name} {...part} />
        ))}
      </div>
    </Card>
  );
}
