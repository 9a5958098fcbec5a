"use client";

import { ChevronLeft, CircleCheck, Package } from "lucide-react";
import { type ReactNode, useDeferredValue } from "react";
import { Button } from "@/components/ui/button";
import type { Entry, EntryKind } from "@/lib/domain/catalog/manifest/entry";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";
import { APP, useEditedListing, useEditor, useEditorStore } from "../model/editor-store";
import { entryTitle, findEntry } from "../model/entry-actions";
import { getEntryLabel } from "../model/entry-labels";
import { formatValue } from "../model/labels";
import { EntryMenu, useDesk } from "./desk";
import { IssueLines, issuesAt, UnsupportedValue, useEntryIssues } from "./entry-issues";
import { MemberSwitch, MemberText } from "./member-fields";
import { HostForm, HostsSwitch, PermissionForm } from "./right-forms";
import { AutofillForm, EndpointForm, LifecycleForm, RaterForm, WebhookForm } from "./route-forms";
import { MappingForm, SettingForm } from "./setting-form";

interface KindForm {
  Form: (props: { id: string; value: unknown }) => ReactNode;
  /** The members that the form edits. */
  members: readonly string[];
}

const FORMS: Record<EntryKind, KindForm> = {
  setting: {
    Form: SettingForm,
    members: ["title", "name", "type", "hint", "values", "required", "sensitive"],
  },
  mapping: { Form: MappingForm, members: ["title", "name", "format", "hint", "required"] },
  webhook: { Form: WebhookForm, members: ["path", "events"] },
  autofill: { Form: AutofillForm, members: ["path", "operations"] },
  rater: { Form: RaterForm, members: ["name", "path"] },
  endpoint: { Form: EndpointForm, members: ["title", "path", "methods", "access"] },
  lifecycle: { Form: LifecycleForm, members: [] },
  permission: { Form: PermissionForm, members: ["name", "purpose"] },
  host: { Form: HostForm, members: ["host", "setting", "ports", "purpose", "optional"] },
};

/** Edits the selected entry, or the app's name and version. */
export function Inspector() {
  const selection = useEditor((state) => state.selection);
  const isNew = useEditor((state) => state.isSelectionNew);
  const desk = useDesk();
  // The list must show the selection without waiting for the inspector's fields. A new entry's fields come first.
  const deferred = useDeferredValue(selection);
  const shown = isNew ? selection : deferred;
  const entry = useEditor(
    ({ outline }) => findEntry(outline.entries, shown) ?? findEntry(outline.entries, selection),
  );
  return (
    <section
      aria-label="Inspector"
      data-inspects={entry === undefined ? APP : entry.id}
      className="flex flex-col"
      onKeyDown={(event) => {
        // Escape in a menu reaches this too, through React's tree.
        const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (event.key === "Escape" && isHere && !event.defaultPrevented) desk.close();
      }}
    >
      {entry === undefined ? <AppInspector /> : <EntryInspector key={entry.id} entry={entry} />}
    </section>
  );
}

function AppInspector() {
  return (
    <>
      <InspectorHeader
        icon={<Package aria-hidden className="size-4" />}
        kind="App"
        title="Name and version"
      />
      <div className="flex flex-col gap-5 p-4">
        <AppForm />
      </div>
    </>
  );
}

function EntryInspector({ entry }: { entry: Entry }) {
  const { id, kind, value } = entry;
  const { icon: Icon, name } = getEntryLabel(entry);
  const title = entryTitle(entry);
  const issues = useEntryIssues(id);
  const { Form, members } = FORMS[kind];
  const isSupported = kind === "lifecycle" || isRecord(value);
  // Issues that no field shows. A lifecycle hook is a single field, and unknown keys are listed below.
  const otherIssues = issues.filter(
    ({ issue, pointer }) =>
      kind !== "lifecycle" && issue.code !== "UNKNOWN_KEY" && !members.includes(pointer.split("/")[1] ?? ""),
  );
  return (
    <>
      <InspectorHeader
        icon={<Icon aria-hidden className="size-4" />}
        kind={name}
        title={title}
        menu={<EntryMenu id={id} kind={kind} title={title} />}
      />
      <div className="flex flex-col gap-5 p-4">
        {isSupported ? (
          <>
            <IssueLines issues={otherIssues} />
            <Form id={id} value={value} />
            {isRecord(value) && (
              <UnknownKeys keys={Object.keys(value).filter((key) => !members.includes(key))} />
            )}
          </>
        ) : (
          <UnsupportedValue id={id} pointer="" label="Not a JSON object" value={value} issues={issues} />
        )}
      </div>
    </>
  );
}

const MAX_KEYS = 50;

/** Lists unknown keys, so that nobody thinks they are lost. */
function UnknownKeys({ keys }: { keys: readonly string[] }) {
  if (keys.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5 border-t border-line pt-4">
      <h3 className="text-small font-medium text-ink">Unknown keys</h3>
      <ul className="flex flex-wrap gap-1.5">
        {keys.slice(0, MAX_KEYS).map((key) => (
          <li
            translate="no"
            key={key}
            className="max-w-full truncate rounded-full border border-line bg-subtle px-2 font-mono text-xs leading-5 text-ink-soft"
          >
            <bdi>{key.slice(0, 200)}</bdi>
          </li>
        ))}
        {keys.length > MAX_KEYS && (
          <li className="text-xs leading-5 text-ink-faint">and {keys.length - MAX_KEYS} more</li>
        )}
      </ul>
      <p className="text-small leading-5 text-ink-faint">
        The platform ignores these keys. Edits keep them unchanged.
      </p>
    </div>
  );
}

interface InspectorHeaderProps {
  icon: ReactNode;
  kind: string;
  title: string;
  menu?: ReactNode;
}

function InspectorHeader({ icon, kind, title, menu }: InspectorHeaderProps) {
  const desk = useDesk();
  return (
    <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-card border-b border-line bg-surface py-2.5 pr-2 pl-4">
      <Button
        tone="quiet"
        size="small"
        data-back
        className="-ml-3 px-2 @min-[37.5rem]/desk:hidden"
        onPress={desk.close}
      >
        <ChevronLeft aria-hidden className="-mr-1 size-4" />
        Fields
      </Button>
      <span className="hidden size-8 shrink-0 items-center justify-center rounded-field bg-accent-soft text-accent-text @min-[37.5rem]/desk:flex">
        {icon}
      </span>
      <div className="min-w-0 flex-1 basis-28">
        <p className="truncate text-xs leading-4 text-ink-faint">{kind}</p>
        <h2 className="truncate text-sm leading-5 font-semibold text-ink">
          <bdi>{title}</bdi>
        </h2>
      </div>
      {menu}
    </header>
  );
}

/** The manifest's name, which must be the listing's, its version, and what the app does besides its entries. */
function AppForm() {
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
        <span className="text-small font-medium text-ink">Name</span>
        <p
          translate="no"
          className="flex min-h-9 w-full items-center gap-2 rounded-field border border-line bg-subtle px-3 py-1.5 font-mono text-small leading-5 wrap-anywhere text-ink"
        >
          <bdi className="min-w-0 flex-1">{name === undefined ? "none" : formatValue(name)}</bdi>
          {isListing && <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />}
        </p>
        {isListing ? (
          <p className="text-small leading-5 text-ink-faint">
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
        hint="Customers get a Check button. It sends POST /_app/check to the app, which reads the unsaved answers with its state key and reports problems. Using it is optional."
      />
      <HostsSwitch />
      <IssueLines issues={issues.filter(({ pointer }) => !SHOWN_AT_FIELDS.has(pointer))} />
    </>
  );
}

const SHOWN_AT_FIELDS = new Set(["/name", "/version", "/core/configurationCheck"]);
