"use client";

import { useMutation } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, ImagePlus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { FileTrigger } from "react-aria-components";
import { useController, useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextField } from "@/components/ui/forms/form-fields";
import { SelectField } from "@/components/ui/forms/select-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ImageUse, ListingText } from "@/lib/contract/catalog/listing";
import {
  CATEGORY_NAMES,
  IMAGE_MEBIBYTES,
  imagePath,
  SCREENSHOTS,
} from "@/lib/contract/catalog/listing-terms";
import { AppIcon } from "../marketplace/listing-cards";

/** As much as a draft keeps. What may be published is shorter, and said at the field. */
const LINE = 2_000;

const CATEGORIES = Object.entries(CATEGORY_NAMES).map(([value, text]) => ({ value, text }));

const LINKS = [
  {
    name: "links.support",
    label: "Support link or email address",
    placeholder: "https://acme.example/support",
    type: "text",
  },
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

/** What customers accept at a launch. */
export function TermsFields() {
  const { control, trigger } = useFormContext<ListingText>();
  // Each needs the other.
  const check = () => void trigger(["terms.url", "terms.version"]);
  return (
    <Card
      title="Terms"
      description="Customers accept them when they launch the app, and the platform records who did. Whenever you change them here, customers are asked again. Leave both empty if you have none."
    >
      <div className="flex flex-col gap-5">
        <FormTextField
          control={control}
          name="terms.url"
          label="Terms link"
          placeholder="https://acme.example/terms"
          onChange={check}
          maxLength={LINE}
          type="url"
        />
        <FormTextField
          control={control}
          name="terms.version"
          label="Version of the terms"
          onChange={check}
          hint="A label that changes with the text, such as 2026-11. The best link leads to exactly this version."
          maxLength={LINE}
          autoComplete="off"
        />
      </div>
    </Card>
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

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/avif"];
const FORMATS = `PNG, JPEG, WebP, or AVIF, up to ${IMAGE_MEBIBYTES} MiB.`;

export function PictureFields() {
  return (
    <Card
      title="Pictures"
      description={`${FORMATS} The platform re-encodes them and removes camera metadata, such as location.`}
    >
      <div className="flex flex-col gap-6">
        <IconField />
        <ScreenshotFields />
      </div>
    </Card>
  );
}

function IconField() {
  const { control } = useFormContext<ListingText>();
  const {
    field: { ref, value, onChange },
  } = useController({ control, name: "icon" });
  const title = useWatch({ control, name: "title" });
  return (
    <section ref={ref} aria-label="Icon" tabIndex={-1} className="outline-none">
      <h3 className="mb-2 text-small font-medium text-ink">Icon</h3>
      <div className="flex flex-wrap items-center gap-4">
        <AppIcon title={title} icon={value} size="huge" />
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-2">
          <div className="flex flex-wrap gap-2">
            <Upload use="icon" onStored={([digest]) => onChange(digest ?? null)}>
              {value === null ? "Upload an icon" : "Replace"}
            </Upload>
            {value !== null && (
              <Button size="small" tone="quiet" onPress={() => onChange(null)}>
                Remove
              </Button>
            )}
          </div>
          <p className="text-small leading-5 text-ink-faint">
            A square of at least 256 pixels looks best. Without one, the first letter of the title is shown.
          </p>
        </div>
      </div>
    </section>
  );
}

function ScreenshotFields() {
  const { control } = useFormContext<ListingText>();
  const { fields, append, remove, move } = useFieldArray({ control, name: "screenshots" });
  const left = SCREENSHOTS - fields.length;
  const [leftOut, setLeftOut] = useState(0);
  return (
    <section aria-label="Screenshots" id="screenshots" tabIndex={-1} className="outline-none">
      <h3 className="mb-2 text-small font-medium text-ink">
        Screenshots{" "}
        <span className="font-normal text-ink-faint tabular-nums">
          {fields.length} of {SCREENSHOTS}
        </span>
      </h3>
      <ol className="flex flex-col gap-3 empty:hidden">
        {fields.map(({ id, image }, index) => (
          <li key={id} className="flex flex-wrap items-start gap-3 rounded-card border border-line p-3">
            {/* eslint-disable-next-line @next/next/no-img-element -- It has its final size and format already. */}
            <img
              src={imagePath(image)}
              alt=""
              className="aspect-[16/10] w-28 shrink-0 rounded-field border border-line bg-subtle object-cover object-top sm:w-36"
            />
            <div className="min-w-0 flex-1 basis-36">
              <FormTextField
                control={control}
                name={`screenshots.${index}.caption`}
                label={`Caption ${index + 1}`}
                hint="Describe what it shows. Screen readers read it aloud."
                maxLength={2_000}
              />
              <div className="mt-1 flex gap-1">
                <Button
                  size="icon-small"
                  tone="quiet"
                  aria-label={`Move screenshot ${index + 1} up`}
                  isDisabled={index === 0}
                  onPress={() => move(index, index - 1)}
                >
                  <ArrowUp aria-hidden className="size-4" />
                </Button>
                <Button
                  size="icon-small"
                  tone="quiet"
                  aria-label={`Move screenshot ${index + 1} down`}
                  isDisabled={index === fields.length - 1}
                  onPress={() => move(index, index + 1)}
                >
                  <ArrowDown aria-hidden className="size-4" />
                </Button>
                <Button
                  size="icon-small"
                  tone="quiet"
                  aria-label={`Remove screenshot ${index + 1}`}
                  onPress={() => remove(index)}
                >
                  <Trash2 aria-hidden className="size-4" />
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <div className="mt-3">
          <Upload
            use="screenshot"
            most={left}
            onStored={(digests) => append(digests.map((image) => ({ image, caption: "" })))}
            onLeftOut={setLeftOut}
          >
            Add screenshots
          </Upload>
        </div>
      )}
      {leftOut > 0 && (
        <p role="status" className="mt-2 text-small leading-5 text-warning">
          {leftOut === 1 ? "1 picture was" : `${leftOut} pictures were`} not added: a listing has at most{" "}
          {SCREENSHOTS} screenshots.
        </p>
      )}
    </section>
  );
}

interface UploadProps {
  use: ImageUse;
  /** How many files are taken of those that were chosen; 1 by default. */
  most?: number;
  onStored: (digests: string[]) => void;
  /** How many of the chosen files were too many. */
  onLeftOut?: (count: number) => void;
  children: ReactNode;
}

/** One after the other: what was stored before a picture is refused is kept. */
function Upload({ use, most = 1, onStored, onLeftOut, children }: UploadProps) {
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      for (const file of files) {
        const { digest } = await callApi("POST", `/api/images?use=${use}`, {
          body: file,
          answer: async () => (await import("@/lib/contract/catalog/listing")).storedImage,
        });
        onStored([digest]);
      }
    },
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <FileTrigger
        acceptedFileTypes={TYPES}
        allowsMultiple={most > 1}
        onSelect={(files) => {
          const chosen = [...(files ?? [])];
          onLeftOut?.(Math.max(0, chosen.length - most));
          if (chosen.length > 0) upload.mutate(chosen.slice(0, most));
        }}
      >
        <Button size="small" isPending={upload.isPending}>
          <ImagePlus aria-hidden className="size-4" />
          {children}
        </Button>
      </FileTrigger>
      <ProblemNotice error={upload.error} />
    </div>
  );
}
