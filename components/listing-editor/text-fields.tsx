"use client";

import { useController, useFormContext } from "react-hook-form";
import { Card } from "@/components/ui/card";
import { FormTextField } from "@/components/ui/form-fields";
import { SelectField } from "@/components/ui/select-field";
import type { ListingText } from "@/lib/contract/listing";
import { CATEGORY_NAMES } from "@/lib/contract/listing-terms";

/** As much as a draft keeps. What may be published is shorter, and said at the field. */
const LINE = 2_000;

const CATEGORIES = Object.entries(CATEGORY_NAMES).map(([value, text]) => ({ value, text }));

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

export function LinkFields() {
  const { control } = useFormContext<ListingText>();
  return (
    <Card title="Links" description="Shown with the host that they link to.">
      <div className="flex flex-col gap-5">
        {LINKS.map((link) => (
          <FormTextField key={link.name} control={control} maxLength={LINE} type="url" {...link} />
        ))}
      </div>
    </Card>
  );
}
