"use client";

import { useController, useFormContext } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { FormTextArea, FormTextField } from "@/components/ui/form-fields";
import { SelectField } from "@/components/ui/select-field";
import { CATEGORY_NAMES, type ListingText } from "@/lib/contract/listing";

/** As much as a draft keeps. What may be published is shorter, and said at the field. */
const [LINE, PROSE] = [2_000, 40_000];

const CATEGORIES = Object.entries(CATEGORY_NAMES).map(([value, text]) => ({ value, text }));

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

const LINKS = [
  { name: "links.support", label: "Support link", placeholder: "https://acme.example/support" },
  { name: "links.privacy", label: "Privacy link", placeholder: "https://acme.example/privacy" },
  { name: "links.website", label: "Website", placeholder: "https://acme.example" },
] as const;

export function NameFields() {
  const { control } = useFormContext<ListingText>();
  return (
    <Card title="Name and category">
      <div className="flex flex-col gap-5">
        <FormTextField
          control={control}
          name="title"
          label="Title"
          hint="The name users see, such as “VIN autofill”."
          maxLength={LINE}
          isRequired
        />
        <FormTextField
          control={control}
          name="tagline"
          label="Tagline"
          hint="What it does in one line of up to 120 characters. Cards and searches show it."
          maxLength={LINE}
        />
        <CategoryField />
      </div>
    </Card>
  );
}

function CategoryField() {
  const { control } = useFormContext<ListingText>();
  const {
    field: { ref, name, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name: "category" });
  return (
    <SelectField
      name={name}
      ref={ref}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      label="Category"
      hint="Where the marketplace lists the app."
      options={CATEGORIES}
      error={fieldState.error?.message}
      isRequired
    />
  );
}

export function AboutFields() {
  return <ProseCard title="About" parts={ABOUT} />;
}

export function RequirementFields() {
  return <ProseCard title="Requirements" parts={REQUIREMENTS} />;
}

function ProseCard({ title, parts }: { title: string; parts: typeof ABOUT | typeof REQUIREMENTS }) {
  const { control } = useFormContext<ListingText>();
  return (
    <Card title={title} description="Markdown, without HTML and pictures. Links start with https://.">
      <div className="flex flex-col gap-5">
        {parts.map((part) => (
          <FormTextArea key={part.name} control={control} maxLength={PROSE} rows={5} {...part} />
        ))}
      </div>
    </Card>
  );
}

export function LinkFields() {
  const { control } = useFormContext<ListingText>();
  return (
    <Card title="Links" description="Shown with the host that they lead to.">
      <div className="flex flex-col gap-5">
        {LINKS.map((link) => (
          <FormTextField key={link.name} control={control} maxLength={LINE} type="url" {...link} />
        ))}
      </div>
    </Card>
  );
}
