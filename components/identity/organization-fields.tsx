"use client";

import { useFormContext } from "react-hook-form";
import { FormTextField } from "@/components/ui/form-fields";
import type { NewOrganizationInput } from "@/lib/contract/membership";
import { suggestSlug } from "@/lib/domain/slug";

/** Name and slug of a new organization, in any form that has both. */
export function OrganizationFields() {
  const { control, setValue, getFieldState } = useFormContext<NewOrganizationInput>();
  return (
    <>
      <FormTextField
        control={control}
        name="organizationName"
        label="Company name"
        autoComplete="organization"
        isRequired
        onChange={(company) => {
          // The slug follows the company's name until the user edits it.
          if (!getFieldState("organizationSlug").isTouched)
            setValue("organizationSlug", suggestSlug(company), { shouldDirty: true });
        }}
      />
      <FormTextField
        control={control}
        name="organizationSlug"
        label="Organization slug"
        hint="Starts the names of your apps, as in slug/app. You can't change it later."
        mono
        autoComplete="off"
        isRequired
      />
    </>
  );
}
