"use client";

import { memberOf } from "@/lib/domain/manifest/finding";
import { useEntryForm } from "./entry-form";
import { MemberText } from "./member-fields";
import { PatternsField } from "./patterns-field";

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
        value={memberOf(value, "events")}
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
        value={memberOf(value, "operations")}
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
