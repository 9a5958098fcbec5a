"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type Control, useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextArea, FormTextField, lazyResolver } from "@/components/ui/form-fields";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { ListingInput } from "@/lib/contract/listing";
import { suggestSlug } from "@/lib/domain/slug";

const EMPTY: ListingInput = {
  appName: "",
  title: "",
  about: { product: "", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
};

const loadContract = () => import("@/lib/contract/listing");

export function NewListingForm({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  const { control, handleSubmit, setError, setValue, getFieldState } = useForm<ListingInput>({
    resolver: lazyResolver(async () => (await loadContract()).listingInput),
    defaultValues: EMPTY,
  });
  const appName = useWatch({ control, name: "appName" });
  const create = useMutation({
    mutationFn: async (input: ListingInput) => {
      const { createdListing } = await loadContract();
      return callApi("POST", "/api/listings", { body: input, answer: createdListing });
    },
    onSuccess: ({ appName }) => router.push(`/publish/${appName}`),
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  return (
    <form
      onSubmit={handleSubmit((input) => create.mutate(input))}
      noValidate
      method="post"
      className="flex max-w-2xl flex-col gap-6"
    >
      <Card title="Name">
        <div className="flex flex-col gap-5">
          <FormTextField
            control={control}
            name="title"
            label="Title"
            hint="The name users see, such as “VIN autofill”."
            isRequired
            onChange={(title) => {
              // The app name follows the title until the publisher edits it.
              if (!getFieldState("appName").isTouched) setValue("appName", suggestSlug(title));
            }}
          />
          <FormTextField
            control={control}
            name="appName"
            label="App Name"
            hint={
              <>
                The manifest uses{" "}
                <code className="font-mono">{`${organizationSlug}/${appName || "app-name"}`}</code>. You
                can&apos;t change it later.
              </>
            }
            mono
            autoComplete="off"
            isRequired
          />
        </div>
      </Card>
      <ProseCard control={control} title="About" parts={ABOUT} />
      <ProseCard control={control} title="Requirements" parts={REQUIREMENTS} />
      <ProblemNotice error={withoutShownIssues(create.error, EMPTY)} />
      <div className="flex justify-end gap-2">
        <LinkButton href="/publish">Cancel</LinkButton>
        <Button type="submit" tone="primary" isPending={create.isPending || create.isSuccess}>
          Create draft
        </Button>
      </div>
    </form>
  );
}

interface ProsePart {
  name: `about.${keyof ListingInput["about"]}` | `requirements.${keyof ListingInput["requirements"]}`;
  label: string;
  hint: string;
  isRequired?: boolean;
}

const ABOUT: ProsePart[] = [
  {
    name: "about.product",
    label: "Product",
    hint: "What the app does, and for whom. The marketplace shows the first sentences.",
    isRequired: true,
  },
  { name: "about.offering", label: "Offering", hint: "What customers get: plans, prices, support." },
  { name: "about.company", label: "Company", hint: "Who you are and how customers reach you." },
];

const REQUIREMENTS: ProsePart[] = [
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
];

/** The fields of one part of a listing's text. */
function ProseCard({
  control,
  title,
  parts,
}: {
  control: Control<ListingInput>;
  title: string;
  parts: ProsePart[];
}) {
  return (
    <Card title={title} description="Markdown. HTML is removed.">
      <div className="flex flex-col gap-5">
        {parts.map(({ name, ...part }) => (
          <FormTextArea key={name} control={control} name={name} {...part} />
        ))}
      </div>
    </Card>
  );
}
