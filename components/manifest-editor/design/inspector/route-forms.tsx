"use client";

import { getMember } from "@/lib/domain/json-text/json-value";
import { useEntryEdit, useEntryForm, useEntryIssues } from "../fields/entry-form";
import { MemberText } from "../fields/member-fields";
import { PatternsField } from "../fields/patterns-field";
import { SelectField } from "@/components/ui/select-field";
import { LIFECYCLE_EVENTS } from "@/lib/contract/manifest";
import { useEditor } from "../../model/use-editor";
import { notesOf } from "../fields/field-notes";
import { LIFECYCLE_MEANING } from "../../model/labels";
import { OddMember } from "../fields/field-notes";

interface FormProps {
  id: string;
  value: unknown;
}

export const WEBHOOK_MEMBERS = ["path", "events"] as const;
export const AUTOFILL_MEMBERS = ["path", "operations"] as const;
export const RATER_MEMBERS = ["name", "path"] as const;

const PATH_HINT = "Of the container, such as";

export function WebhookForm({ id, value }: FormProps) {
  const form = useEntryForm(id, value);
  return (
    <>
      <MemberText form={form} member="path" label="Path" isRequired mono hint={`${PATH_HINT} /events.`} />
      <PatternsField
        id={id}
        member="events"
        label="Events"
        value={getMember(value, "events")}
        hint="Which events of the core are sent there, one a line. A * stands for any one part, at the end for all that follow."
        suggestions={["policy.issued", "policy.cancelled", "policy.*"]}
      />
    </>
  );
}

export function AutofillForm({ id, value }: FormProps) {
  const form = useEntryForm(id, value);
  return (
    <>
      <MemberText form={form} member="path" label="Path" isRequired mono hint={`${PATH_HINT} /autofill.`} />
      <PatternsField
        id={id}
        member="operations"
        label="Operations"
        value={getMember(value, "operations")}
        hint="During which operations the core asks it, one a line. A * stands for any one part, at the end for all that follow."
        suggestions={["newBusiness.*", "endorsement.*"]}
      />
    </>
  );
}

export function RaterForm({ id, value }: FormProps) {
  const form = useEntryForm(id, value);
  return (
    <>
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        hint="What operators read when they confirm it for a product."
      />
      <MemberText form={form} member="path" label="Path" isRequired mono hint={`${PATH_HINT} /rate.`} />
    </>
  );
}

/** A lifecycle hook is its event; each can be there once. */
export function LifecycleForm({ id, value }: { id: string; value: unknown }) {
  const edit = useEntryEdit(id);
  const issues = useEntryIssues(id);
  const entries = useEditor((state) => state.outline.entries);
  if (typeof value !== "string") {
    return <OddMember id={id} place="" label="Event" value={value} issues={issues} />;
  }
  const taken = new Set(
    entries.filter((entry) => entry.kind === "lifecycle" && entry.id !== id).map((entry) => entry.value),
  );
  const free = LIFECYCLE_EVENTS.filter((event) => event === value || !taken.has(event));
  const isKnown = free.some((event) => event === value);
  const options = [
    ...(isKnown || value === "" ? [] : [{ value, text: value, detail: "Not an event of the platform" }]),
    ...free.map((event) => ({ value: event, text: event, detail: LIFECYCLE_MEANING[event] })),
  ];
  return (
    <div data-member="/event" className="flex flex-col gap-4">
      <SelectField
        label="Event"
        isRequired
        options={options}
        value={value}
        onChange={(event) =>
          edit((path) => ({ type: "set", path, value: event }), {
            what: `Change lifecycle event to ${event}`,
          })
        }
        {...notesOf(issues, "", "When the platform calls the container.")}
      />
      {isKnown && (
        <p className="rounded-field border border-line bg-subtle px-3 py-2 text-[13px] leading-5 text-ink-soft">
          The platform calls <code className="font-mono break-all text-ink">GET /_app/{value}</code> and waits
          up to 60 seconds for an answer of 2xx. {failureOf(value)}
        </p>
      )}
    </div>
  );
}

function failureOf(event: string): string {
  if (event === "uninstall") return "The app is removed whatever it answers.";
  if (event === "stop") return "";
  return "Anything else puts the installation in error, and nothing is sent to it.";
}
