import { presentableDiff } from "@codemirror/merge";
import type { ReactNode } from "react";
import { Markdown } from "@/components/catalog/marketplace/markdown";
import { Card } from "@/components/ui/card";
import { UserText } from "@/components/ui/values";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { imagePath, TEXT_FIELDS, type TextField } from "@/lib/contract/catalog/listing-terms";
import { getTextField, listChangedFields, TEXT_FIELD_LABELS } from "@/lib/domain/catalog/listing-text";
import { CommentPlace } from "./anchored-threads";

interface ListingTextCardProps {
  text: ListingText;
  /** What was approved last; undefined before the first approval. */
  before: ListingText | undefined;
}

/** The listing's text: the fields that changed since the last approval, or all of them before the first one. */
export function ListingTextCard({ text, before }: ListingTextCardProps) {
  const fields =
    before === undefined
      ? TEXT_FIELDS.filter((field) => getTextField(text, field) !== "")
      : listChangedFields(before, text);
  return (
    <Card title="Listing text" description={describe(before, fields.length)}>
      {fields.length > 0 && (
        <dl className="flex flex-col gap-4">
          {fields.map((field) => (
            <div
              key={field}
              className="relative grid min-w-0 gap-x-4 gap-y-1 sm:grid-cols-[8rem_minmax(0,1fr)]"
            >
              <dt className="text-small font-medium text-ink max-sm:min-[20rem]:pr-28">
                {TEXT_FIELD_LABELS[field]}
              </dt>
              <dd className="min-w-0">
                <div className="sm:pr-28">
                  <Field field={field} text={text} before={before} />
                </div>
                <CommentPlace place={{ type: "text", field }} name={TEXT_FIELD_LABELS[field]} isBeside />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

function describe(before: ListingText | undefined, changed: number): string {
  if (before === undefined) return "Nothing was approved before, so all of it is new.";
  if (changed === 0) return "The same as at the last approval.";
  return `${changed} ${changed === 1 ? "field" : "fields"} changed since the last approval.`;
}

interface FieldProps extends ListingTextCardProps {
  field: TextField;
}

function Field({ field, text, before }: FieldProps) {
  if (field === "icon" || field === "screenshots")
    return (
      <div className="flex flex-col gap-3">
        {before !== undefined && <Pictures label="Before" pictures={listPictures(field, before)} />}
        <Pictures label={before === undefined ? undefined : "Now"} pictures={listPictures(field, text)} />
      </div>
    );
  const now = getTextField(text, field);
  if (before !== undefined) return <Difference before={getTextField(before, field)} after={now} />;
  if (field.startsWith("about.") || field.startsWith("requirements.")) return <Markdown>{now}</Markdown>;
  return (
    <p className="max-w-prose text-sm wrap-anywhere whitespace-pre-wrap text-ink-soft">
      {showDirectionMarks(now)}
    </p>
  );
}

interface Picture {
  image: string;
  caption: string;
}

function listPictures(field: "icon" | "screenshots", { icon, screenshots }: ListingText): Picture[] {
  if (field === "screenshots") return screenshots;
  return icon === null ? [] : [{ image: icon, caption: "" }];
}

function Pictures({ label, pictures }: { label: string | undefined; pictures: Picture[] }) {
  return (
    <figure className="flex flex-col gap-2">
      {label !== undefined && <figcaption className="text-small text-ink-faint">{label}</figcaption>}
      {pictures.length === 0 && <p className="text-sm text-ink-soft">None</p>}
      <div className="flex flex-wrap gap-3">
        {pictures.map(({ image, caption }) => (
          <div key={image} className="w-40">
            {/* eslint-disable-next-line @next/next/no-img-element -- It has its final size and format already. */}
            <img
              src={imagePath(image)}
              alt={caption === "" ? "Icon" : caption}
              loading="lazy"
              className="h-28 max-w-full rounded-field border border-line bg-subtle object-contain"
            />
            {caption !== "" && <UserText className="text-small text-ink-soft">{caption}</UserText>}
          </div>
        ))}
      </div>
    </figure>
  );
}

/** Both texts as one, with what was removed and what was added. */
function Difference({ before, after }: { before: string; after: string }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { fromA, toA, fromB, toB } of presentableDiff(before, after, { timeout: 200 })) {
    parts.push(showDirectionMarks(after.slice(at, fromB)));
    if (toA > fromA) parts.push(<Removed key={`-${fromA}`}>{before.slice(fromA, toA)}</Removed>);
    if (toB > fromB) parts.push(<Added key={`+${fromB}`}>{after.slice(fromB, toB)}</Added>);
    at = toB;
  }
  parts.push(showDirectionMarks(after.slice(at)));
  return (
    <p className="max-w-prose text-sm leading-6 wrap-anywhere whitespace-pre-wrap text-ink-soft">{parts}</p>
  );
}

function Removed({ children }: { children: string }) {
  return (
    <del className="rounded-sm bg-danger-soft text-danger">
      <span className="sr-only">removed: </span>
      {showDirectionMarks(children)}
    </del>
  );
}

function Added({ children }: { children: string }) {
  return (
    <ins className="rounded-sm bg-success-soft text-success no-underline">
      <span className="sr-only">added: </span>
      {showDirectionMarks(children)}
    </ins>
  );
}
