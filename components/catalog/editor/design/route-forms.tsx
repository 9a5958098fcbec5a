"use client";

import { SelectField } from "@/components/ui/forms/select-field";
import { Checkbox } from "@/components/ui/forms/toggles";
import {
  ENDPOINT_ACCESS,
  ENDPOINT_METHODS,
  type EndpointAccess,
  LIFECYCLE_EVENTS,
} from "@/lib/contract/platform/manifest-terms";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import { useEditor } from "../model/editor-store";
import { lifecycleLabel } from "../model/labels";
import { getNotes, IssueLines, issuesAt, UnsupportedValue, useEntryIssues } from "./entry-issues";
import { MemberText, useEntryEdit, useMemberEdit } from "./member-fields";
import { listEdit, PatternsField } from "./patterns-field";

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
        <p className="rounded-field border border-line bg-subtle px-3 py-2 text-small leading-5 text-ink-soft">
          The platform calls{" "}
          <code translate="no" className="font-mono wrap-anywhere text-ink">
            GET /_app/{value}
          </code>{" "}
          and waits up to 60 seconds for a 2xx response. {failureText(value)}
        </p>
      )}
    </div>
  );
}

function failureText(event: string): string {
  if (event === "uninstall") return "The app is removed regardless of the response.";
  if (event === "stop") return "";
  return "Otherwise, the installation goes into the error state and receives no calls.";
}

interface EndpointFormProps {
  id: string;
  value: unknown;
}

export function EndpointForm({ id, value }: EndpointFormProps) {
  const form = { id, value };
  return (
    <>
      <MemberText
        form={form}
        member="title"
        label="Title"
        isRequired
        hint="What it is for. Customers read it before they open it."
      />
      <MemberText
        form={form}
        member="path"
        label="Path"
        isRequired
        mono
        hint="In the container: /settings, or /callbacks/* for all paths below it"
      />
      <MethodsField id={id} value={getMember(value, "methods")} />
      <AccessField id={id} value={getMember(value, "access")} />
    </>
  );
}

/** Keeps the order in which the methods are written; a new one is added at the end. */
function MethodsField({ id, value }: EndpointFormProps) {
  const edit = useEntryEdit(id);
  const issues = useEntryIssues(id);
  const methods = value ?? [];
  const label = "Methods";
  if (!isTextList(methods))
    return <UnsupportedValue id={id} pointer="/methods" label={label} value={value} issues={issues} />;
  const change = (after: string[]) =>
    edit(
      (path) =>
        value === undefined
          ? { type: "set", path: [...path, "methods"], value: after }
          : listEdit([...path, "methods"], methods, after),
      { what: "Change methods" },
    );
  const choices = [...ENDPOINT_METHODS, ...methods].filter((each, at, all) => all.indexOf(each) === at);
  return (
    <fieldset data-member="/methods" className="flex flex-col gap-2">
      <legend className="text-small font-medium text-ink">{label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {choices.map((method) => (
          <Checkbox
            key={method}
            name={method}
            value={methods.includes(method)}
            onChange={(isOn) =>
              change(isOn ? [...methods, method] : methods.filter((each) => each !== method))
            }
          >
            <bdi translate="no" className="font-mono text-small">
              {method}
            </bdi>
          </Checkbox>
        ))}
      </div>
      <p className="text-small leading-5 text-ink-faint">GET includes HEAD.</p>
      <IssueLines issues={issuesAt(issues, "/methods")} />
    </fieldset>
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

const ACCESS_TEXTS: Record<EndpointAccess, string> = {
  core: "With the core credential",
  public: "Anyone, once it is opened",
};

function AccessField({ id, value }: EndpointFormProps) {
  const write = useMemberEdit({ id }, "access", "Access");
  const issues = useEntryIssues(id);
  if (value !== undefined && typeof value !== "string")
    return <UnsupportedValue id={id} pointer="/access" label="Access" value={value} issues={issues} />;
  const isKnown = value === undefined || value === "" || ENDPOINT_ACCESS.some((each) => each === value);
  const options = [
    ...(isKnown ? [] : [{ value, text: value, detail: "Unknown access" }]),
    ...ENDPOINT_ACCESS.map((each) => ({ value: each, text: each, detail: ACCESS_TEXTS[each] })),
  ];
  return (
    <div data-member="/access">
      <SelectField
        label="Access"
        isRequired
        options={options}
        value={value ?? ""}
        onChange={(access) => write(access, false)}
        {...getNotes(
          issues,
          "/access",
          "Customers see which endpoints are public before they launch the app.",
        )}
      />
    </div>
  );
}
