"use client";

import { SelectField } from "@/components/ui/select-field";
import { LIFECYCLE_EVENTS } from "@/lib/contract/manifest-terms";
import { getMember } from "@/lib/domain/json-text/json-value";
import { lifecycleLabel } from "../../model/labels";
import { useEditor } from "../../model/use-editor";
import { useEntryIssues } from "../desk/entry-issues";
import { useEntryEdit } from "../fields/entry-form";
import { getNotes, UnsupportedValue } from "../fields/field-notes";
import { MemberText } from "../fields/member-fields";
import { PatternsField } from "../fields/patterns-field";

interface FormProps {
  id: string;
  value: unknown;
}

const WILDCARD_HINT = "One per line. * matches one part, or all remaining parts at the end.";

export function WebhookForm({ id, value }: FormProps) {
  const form = { id, value };
  return (
    <>
      <MemberText form={form} member="path" label="Path" isRequired mono hint="In the container: /events" />
      <PatternsField
        id={id}
        member="events"
        label="Events"
        value={getMember(value, "events")}
        hint={`The core events to send to this path. ${WILDCARD_HINT}`}
        suggestions={["policy.issued", "policy.cancelled", "policy.*"]}
      />
    </>
  );
}

export function AutofillForm({ id, value }: FormProps) {
  const form = { id, value };
  return (
    <>
      <MemberText form={form} member="path" label="Path" isRequired mono hint="In the container: /autofill" />
      <PatternsField
        id={id}
        member="operations"
        label="Operations"
        value={getMember(value, "operations")}
        hint={`The operations during which the core calls this path. ${WILDCARD_HINT}`}
        suggestions={["newBusiness.*", "endorsement.*"]}
      />
    </>
  );
}

export function RaterForm({ id, value }: FormProps) {
  const form = { id, value };
  return (
    <>
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        hint="Shown to operators when they confirm it for a product."
      />
      <MemberText form={form} member="path" label="Path" isRequired mono hint="In the container: /rate" />
    </>
  );
}

/** A lifecycle hook consists of its event. Each event can be used once. */
export function LifecycleForm({ id, value }: FormProps) {
  const edit = useEntryEdit(id);
  const issues = useEntryIssues(id);
  const entries = useEditor((state) => state.outline.entries);
  if (typeof value !== "string")
    return <UnsupportedValue id={id} pointer="" label="Event" value={value} issues={issues} />;
  const taken = new Set(
    entries.filter((entry) => entry.kind === "lifecycle" && entry.id !== id).map((entry) => entry.value),
  );
  const available = LIFECYCLE_EVENTS.filter((event) => event === value || !taken.has(event));
  const isKnown = available.some((event) => event === value);
  const options = [
    ...(isKnown || value === "" ? [] : [{ value, text: value, detail: "Unknown event" }]),
    ...available.map((event) => ({ value: event, text: event, detail: lifecycleLabel(event) })),
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
        {...getNotes(issues, "", "When the platform calls the container.")}
      />
      {isKnown && (
        <p className="rounded-field border border-line bg-subtle px-3 py-2 text-[13px] leading-5 text-ink-soft">
          The platform calls <code className="font-mono break-all text-ink">GET /_app/{value}</code> and waits
          up to 60 seconds for a 2xx response. {failureText(value)}
        </p>
      )}
    </div>
  );
}

function failureText(event: string): string {
  if (event === "uninstall") return "The app is removed whatever the response.";
  if (event === "stop") return "";
  return "Otherwise, the installation goes into the error state and receives no calls.";
}
