"use client";

import { Button } from "@/components/ui/button";
import type { Setting } from "@/lib/contract/manifest";
import { useEntryEdit, useEntryIssues } from "../fields/entry-form";
import { issuesAt } from "../desk/entry-issues";
import { IssueLines } from "../fields/field-notes";
import { OddMember } from "../fields/field-notes";
import { ValuesTable } from "./values-table";

interface ValuesFieldProps {
  id: string;
  /** Undefined when it is none that the platform knows. */
  type: Setting["type"] | undefined;
  /** As written, of any type. */
  values: unknown;
}

/** The values of a Select, or what is to be done about values that are missing or have no place here. */
export function ValuesField({ id, type, values }: ValuesFieldProps) {
  const edit = useEntryEdit(id);
  const issues = issuesAt(useEntryIssues(id), "/values");
  if (Array.isArray(values)) {
    const items: readonly unknown[] = values;
    return (
      <div data-member="/values" className="flex flex-col gap-2">
        <ValuesTable id={id} values={items} />
        {type !== "Select" && (
          <Button
            size="small"
            className="self-start"
            onPress={() =>
              edit((path) => ({ type: "set", path: [...path, "values"], value: undefined }), {
                what: "Remove the values",
              })
            }
          >
            Remove the values
          </Button>
        )}
      </div>
    );
  }
  if (values !== undefined) {
    return <OddMember id={id} place="/values" label="Values" value={values} issues={issues} />;
  }
  if (type !== "Select") return null;
  return (
    <div data-member="/values" className="flex flex-col items-start gap-1.5">
      <span className="text-[13px] font-medium text-ink">Values</span>
      <IssueLines issues={issues} />
      <Button
        size="small"
        onPress={() =>
          edit(
            (path) => ({
              type: "set",
              path: [...path, "values"],
              value: [{ text: "First", value: "first" }],
            }),
            { what: "Add a value" },
          )
        }
      >
        Add a value
      </Button>
    </div>
  );
}
