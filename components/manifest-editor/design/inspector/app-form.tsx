"use client";

import { CircleCheck } from "lucide-react";
import { Button } from "@/components/ui/button";
import { APP } from "../../model/editor-store";
import { formatValue } from "../../model/labels";
import { useEditedListing, useEditor, useEditorStore } from "../../model/use-editor";
import { issuesAt, useEntryIssues } from "../desk/entry-issues";
import { IssueLines } from "../fields/field-notes";
import { MemberSwitch, MemberText } from "../fields/member-fields";

/** The manifest's name, which must be the listing's, its version, and what the app does besides its entries. */
export function AppForm() {
  const store = useEditorStore();
  const listing = useEditedListing();
  const issues = useEntryIssues(APP);
  const name = useEditor(({ outline }) => outline.name);
  const version = useEditor(({ outline }) => outline.version);
  const configurationCheck = useEditor(({ outline }) => outline.configurationCheck);
  const form = { id: APP, value: { version } };
  const core = { id: APP, value: { configurationCheck }, within: ["core"] };
  const isListing = name === listing.name;
  return (
    <>
      <div data-member="/name" className="flex flex-col items-start gap-1.5">
        <span className="text-[13px] font-medium text-ink">Name</span>
        <p className="flex min-h-9 w-full items-center gap-2 rounded-field border border-line bg-subtle px-3 py-1.5 font-mono text-[13px] leading-5 break-all text-ink">
          <bdi className="min-w-0 flex-1">{name === undefined ? "none" : formatValue(name)}</bdi>
          {isListing && <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />}
        </p>
        {isListing ? (
          <p className="text-[13px] leading-5 text-ink-faint">
            The name of this listing. It can&apos;t change.
          </p>
        ) : (
          <>
            <IssueLines issues={issuesAt(issues, "/name")} />
            <Button
              size="small"
              onPress={() =>
                store.edit(
                  { type: "set", path: ["name"], value: listing.name },
                  { what: `Use the name ${listing.name}` },
                )
              }
            >
              Use {listing.name}
            </Button>
          </>
        )}
      </div>
      <MemberText
        form={form}
        member="version"
        label="Version"
        isRequired
        mono
        hint="Three numbers, such as 1.4.0. Publishing increases it."
      />
      <MemberSwitch
        form={core}
        member="configurationCheck"
        label="Check settings before saving"
        hint="Customers get a Check button. It sends POST /_app/check to the app, which reads the unsaved answers with its state key and reports problems. Nobody has to use it."
      />
      <IssueLines issues={issues.filter(({ pointer }) => !SHOWN_AT_FIELDS.has(pointer))} />
    </>
  );
}

const SHOWN_AT_FIELDS = new Set(["/name", "/version", "/core/configurationCheck"]);
