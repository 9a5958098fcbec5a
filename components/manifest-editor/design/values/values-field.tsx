"use client";

import { Button } from "@/components/ui/button";
import type { Setting } from "@/lib/contract/manifest";
import { BLANK_VALUE } from "@/lib/domain/manifest/outline/new-entry";
import { issuesAt, useEntryIssues } from "../desk/entry-issues";
import { useEntryEdit } from "../fields/entry-form";
import { IssueLines, UnsupportedValue } from "../fields/field-notes";
import { ValuesTable } from "./values-table";

interface ValuesFieldProps {
  id: string;
  /** Undefined if unknown. */
  type: Setting["type"] | undefined;
  /** From the manifest, of any type. */
  values: unknown;
}

/** The values of a Select, or a fix for values that are missing or don't belong to the type. */
export function ValuesField({ id, type, values }: ValuesFieldProps) {
  const edit = useEntryEdit(id);
  const issues = useEntryIssues(id);
  const setValues = (what: string, value: unknown) =>
    edit((path) => ({ type: "set", path: [...path, "values"], value }), { what });
  if (Array.isArray(values)) {
    const items: readonly unknown[] = values;
    return (
      <div data-member="/values" className="flex flex-col gap-2">
        <ValuesTable id={id} values={items} />
        {type !== "Select" && (
          <Button
            size="small"
            className="self-start"
            onPress={() => setValues("Remove the values", undefined)}
          >
            Remove the values
          </Button>
        )}
      </div>
    );
  }
  if (values !== undefined)
    return <UnsupportedValue id={id} pointer="/values" label="Values" value={values} issues={issues} />;
  if (type !== "Select") return null;
  return (
    <div data-member="/values" className="flex flex-col items-start gap-1.5">
      <span className="text-[13px] font-medium text-ink">Values</span>
      <IssueLines issues={issuesAt(issues, "/values")} />
      <Button size="small" onPress={() => setValues("Add a value", [{ ...BLANK_VALUE }])}>
        Add a value
      </Button>
    </div>
  );
}
