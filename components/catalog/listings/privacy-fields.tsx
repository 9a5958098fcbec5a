"use client";

import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useController, useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Segments } from "@/components/ui/forms/segments";
import { TextField } from "@/components/ui/forms/fields";
import { FormTextField } from "@/components/ui/forms/form-fields";
import { Checkbox } from "@/components/ui/forms/toggles";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { COUNTRIES, DATA_KIND_NAMES, DATA_KINDS, SUB_PROCESSORS } from "@/lib/contract/catalog/listing-terms";
import { EMPTY_PRIVACY, nameCountry, readCountry } from "@/lib/domain/catalog/privacy";

/** As much as a draft keeps. What may be published is shorter, and said at the field. */
const LINE = 2_000;

/** The privacy declaration, which a listing has or doesn't have. */
export function PrivacyFields() {
  const { control, setValue } = useFormContext<ListingText>();
  const declared = useWatch({ control, name: "privacy", compute: (privacy) => (privacy ?? null) !== null });
  const write = (privacy: ListingText["privacy"]) => setValue("privacy", privacy, { shouldDirty: true });
  return (
    <section id="privacy" aria-label="Privacy" tabIndex={-1} className="outline-none">
      <Card
        title="Privacy"
        description="A table on the listing that insurers compare. Moderators review it like the rest of the text."
        actions={
          declared && (
            <Button size="small" tone="quiet" onPress={() => write(null)}>
              Remove
            </Button>
          )
        }
      >
        {declared ? (
          <div className="flex flex-col gap-5">
            <DataFields />
            <StorageFields />
            <ProcessorFields />
            <FormTextField
              control={control}
              name="privacy.contact"
              label="Contact for privacy"
              hint="An email address, or a link."
              placeholder="privacy@acme.example"
              maxLength={LINE}
              isRequired
            />
          </div>
        ) : (
          <div className="flex flex-col items-start gap-3">
            <p className="text-sm leading-6 text-ink-soft">
              Until you declare it, the listing says that you have not declared what the app does with data.
            </p>
            <Button onPress={() => write(EMPTY_PRIVACY)}>Declare</Button>
          </div>
        )}
      </Card>
    </section>
  );
}

function DataFields() {
  const { control, trigger } = useFormContext<ListingText>();
  const { field } = useController({ control, name: "privacy.data" });
  const chosen = field.value ?? [];
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-small font-medium text-ink">Data that the app accesses</legend>
      {DATA_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          value={chosen.includes(kind)}
          onChange={(isChosen) => {
            field.onChange(isChosen ? [...chosen, kind] : chosen.filter((each) => each !== kind));
            // One of the two is needed.
            void trigger("privacy.otherData");
          }}
        >
          {DATA_KIND_NAMES[kind]}
        </Checkbox>
      ))}
      <div className="mt-2">
        <FormTextField
          control={control}
          name="privacy.otherData"
          label="Other data"
          hint="In your own words."
          maxLength={LINE}
        />
      </div>
    </fieldset>
  );
}

const ANSWERS: readonly { value: "yes" | "no" | ""; text: string }[] = [
  { value: "yes", text: "Yes" },
  { value: "no", text: "No" },
];

function StorageFields() {
  const { control, setValue, trigger } = useFormContext<ListingText>();
  const { field, fieldState } = useController({ control, name: "privacy.storedOutside" });
  const stored = field.value ?? null;
  const label = "Does the app store data outside the customer's core?";
  return (
    <>
      <div className="flex flex-col gap-2">
        <p className="text-small font-medium text-ink">{label}</p>
        <div>
          <Segments
            isField
            label={label}
            options={ANSWERS}
            value={stored === null ? "" : stored ? "yes" : "no"}
            isInvalid={fieldState.error !== undefined}
            onChange={(answer) => {
              if (answer === "no") setValue("privacy.countries", [], { shouldDirty: true });
              field.onChange(answer === "yes");
              void trigger("privacy.retention");
            }}
          />
        </div>
        <FieldError>{fieldState.error?.message}</FieldError>
      </div>
      {stored === true && <CountriesField />}
      <FormTextField
        control={control}
        name="privacy.retention"
        label="How long data is kept"
        hint="A number of days, such as 30, or in words."
        maxLength={LINE}
      />
    </>
  );
}

function FieldError({ children }: { children: ReactNode }) {
  return children === undefined ? null : <p className="text-small text-danger">{children}</p>;
}

const split = (text: string) =>
  text
    .split(",")
    .map(readCountry)
    .filter((country) => country !== "");

/** What was typed is shown until it means something else, such as after somebody else's change. */
function useTyped(written: string, read: (typed: string) => string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(written);
  return [read(typed) === read(written) ? typed : written, setTyped];
}

function CountriesField() {
  const { control } = useFormContext<ListingText>();
  const { field, fieldState } = useController({ control, name: "privacy.countries" });
  const codes = field.value ?? [];
  const written = codes.map(nameCountry).join(", ");
  const [typed, setTyped] = useTyped(written, (text) => split(text).join());
  const unknown = codes.filter((code) => !COUNTRIES.includes(code));
  return (
    <TextField
      label="Countries that it is stored in"
      isRequired
      hint="Names or ISO codes, separated by commas."
      maxLength={LINE}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        field.onChange(split(text));
      }}
      onBlur={() => {
        setTyped(written);
        field.onBlur();
      }}
      error={unknown.length > 0 ? `Not a country: ${unknown.join(", ")}.` : fieldState.error?.message}
    />
  );
}

function ProcessorFields() {
  const { control } = useFormContext<ListingText>();
  const { fields, append, remove } = useFieldArray({ control, name: "privacy.subProcessors" });
  return (
    <section aria-label="Sub-processors" className="flex flex-col gap-3">
      <h3 className="text-small font-medium text-ink">
        Sub-processors{" "}
        <span className="font-normal text-ink-faint tabular-nums">
          {fields.length} of {SUB_PROCESSORS}
        </span>
      </h3>
      <p className="text-small leading-5 text-ink-faint">Companies that get customers&apos; data from you.</p>
      <ol className="flex flex-col gap-3 empty:hidden">
        {fields.map(({ id }, index) => (
          <li key={id} className="flex flex-col gap-3 rounded-card border border-line p-3">
            <div className="grid gap-3 sm:grid-cols-2">
              <FormTextField
                control={control}
                name={`privacy.subProcessors.${index}.name`}
                label={`Company ${index + 1}`}
                isRequired
                maxLength={LINE}
                autoComplete="off"
              />
              <CountryField index={index} />
            </div>
            <FormTextField
              control={control}
              name={`privacy.subProcessors.${index}.purpose`}
              label={`Purpose ${index + 1}`}
              isRequired
              maxLength={LINE}
            />
            <Button
              size="small"
              tone="quiet"
              className="self-start"
              aria-label={`Remove sub-processor ${index + 1}`}
              onPress={() => remove(index)}
            >
              <Trash2 aria-hidden className="size-4" />
              Remove
            </Button>
          </li>
        ))}
      </ol>
      <Button
        size="small"
        className="self-start"
        isDisabled={fields.length >= SUB_PROCESSORS}
        onPress={() => append({ name: "", purpose: "", country: "" })}
      >
        <Plus aria-hidden className="size-4" />
        Add a sub-processor
      </Button>
    </section>
  );
}

function CountryField({ index }: { index: number }) {
  const { control } = useFormContext<ListingText>();
  const {
    field: { ref, name, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name: `privacy.subProcessors.${index}.country` });
  const written = nameCountry(value ?? "");
  const [typed, setTyped] = useTyped(written, readCountry);
  return (
    <TextField
      name={name}
      ref={ref}
      label={`Country ${index + 1}`}
      isRequired
      placeholder="Switzerland"
      autoComplete="off"
      maxLength={LINE}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(readCountry(text));
      }}
      onBlur={() => {
        setTyped(written);
        onBlur();
      }}
      error={fieldState.error?.message}
    />
  );
}
