"use client";

import { SelectField } from "@/components/ui/select-field";
import { Checkbox } from "@/components/ui/toggles";
import { ENDPOINT_ACCESS, ENDPOINT_METHODS, type EndpointAccess } from "@/lib/contract/manifest-terms";
import { getMember } from "@/lib/domain/json-text/json-value";
import { issuesAt, useEntryIssues } from "../desk/entry-issues";
import { useEntryEdit, useMemberEdit } from "../fields/entry-form";
import { getNotes, IssueLines, UnsupportedValue } from "../fields/field-notes";
import { MemberText } from "../fields/member-fields";
import { listEdit } from "../fields/patterns-field";

interface FormProps {
  id: string;
  value: unknown;
}

export function EndpointForm({ id, value }: FormProps) {
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
function MethodsField({ id, value }: FormProps) {
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
      <legend className="text-[13px] font-medium text-ink">{label}</legend>
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
            <bdi className="font-mono text-[13px]">{method}</bdi>
          </Checkbox>
        ))}
      </div>
      <p className="text-[13px] leading-5 text-ink-faint">GET includes HEAD.</p>
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

function AccessField({ id, value }: FormProps) {
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
