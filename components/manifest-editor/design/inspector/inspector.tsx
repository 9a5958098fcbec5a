"use client";

import { ChevronLeft, Package } from "lucide-react";
import { type ReactNode, useDeferredValue } from "react";
import { Button } from "@/components/ui/button";
import { isRecord } from "@/lib/domain/json-text/json-value";
import type { Entry, EntryKind } from "@/lib/domain/manifest/outline/entry";
import { APP } from "../../model/editor-store";
import { entryTitle } from "../../model/entry-actions";
import { useEditor } from "../../model/use-editor";
import { APP_MEMBERS, AppForm } from "./app-form";
import { useDesk } from "../desk/desk";
import { findEntry, useEntryIssues } from "../fields/entry-form";
import { EntryMenu } from "../desk/row-menu";
import { IssueLines } from "../fields/field-notes";
import { lookOf } from "../../model/labels";
import { LifecycleForm } from "./route-forms";
import { OddMember } from "../fields/field-notes";
import {
  AUTOFILL_MEMBERS,
  AutofillForm,
  RATER_MEMBERS,
  RaterForm,
  WEBHOOK_MEMBERS,
  WebhookForm,
} from "./route-forms";
import { MAPPING_MEMBERS, MappingForm, SETTING_MEMBERS, SettingForm } from "./setting-form";

const FORM_OF: Record<EntryKind, (props: { id: string; value: unknown }) => ReactNode> = {
  setting: SettingForm,
  mapping: MappingForm,
  webhook: WebhookForm,
  autofill: AutofillForm,
  rater: RaterForm,
  lifecycle: LifecycleForm,
};

const MEMBERS_OF: Record<EntryKind, readonly string[]> = {
  setting: SETTING_MEMBERS,
  mapping: MAPPING_MEMBERS,
  webhook: WEBHOOK_MEMBERS,
  autofill: AUTOFILL_MEMBERS,
  rater: RATER_MEMBERS,
  lifecycle: [""],
};

/** Every property of what is selected. */
export function Inspector() {
  const selection = useEditor((state) => state.selection);
  // The list shows at once what was selected; the many fields of it may follow a moment later.
  const shown = useDeferredValue(selection);
  const entry = useEditor(
    ({ outline }) => findEntry(outline.entries, shown) ?? findEntry(outline.entries, selection),
  );
  const body = entry === undefined ? <AppInspector /> : <EntryInspector key={entry.id} entry={entry} />;
  return (
    <section
      aria-label="Inspector"
      data-inspects={entry === undefined ? APP : entry.id}
      className="flex flex-col"
    >
      {body}
    </section>
  );
}

function AppInspector() {
  const issues = useEntryIssues(APP).filter(({ place }) => !APP_MEMBERS.some((key) => place === `/${key}`));
  return (
    <>
      <InspectorHeader
        icon={<Package aria-hidden className="size-4" />}
        kind="App"
        title="Name and version"
      />
      <div className="flex flex-col gap-5 p-4">
        <AppForm />
        <IssueLines issues={issues} />
      </div>
    </>
  );
}

function EntryInspector({ entry }: { entry: Entry }) {
  const { id, kind, value } = entry;
  const { icon: Icon, name } = lookOf(entry);
  const title = entryTitle(entry);
  const known = MEMBERS_OF[kind];
  const issues = useEntryIssues(id);
  // The lifecycle hook is its own only field, and unknown keys are listed below.
  const loose = issues.filter(
    ({ issue, place }) =>
      kind !== "lifecycle" && issue.code !== "UNKNOWN_KEY" && !known.includes(place.split("/")[1] ?? ""),
  );
  const Form = FORM_OF[kind];
  const isOdd = kind !== "lifecycle" && !isRecord(value);
  return (
    <>
      <InspectorHeader
        icon={<Icon aria-hidden className="size-4" />}
        kind={name}
        title={title}
        menu={<EntryMenu id={id} kind={kind} title={title} />}
      />
      <div className="flex flex-col gap-5 p-4">
        {isOdd ? (
          <OddMember id={id} place="" label="This is no object" value={value} issues={issues} />
        ) : (
          <>
            <IssueLines issues={loose} />
            <Form id={id} value={value} />
            <KeptMembers value={value} known={known} />
          </>
        )}
      </div>
    </>
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
    <header className="sticky top-0 z-10 flex items-center gap-3 rounded-t-card border-b border-line bg-surface py-2.5 pr-2 pl-4">
      <Button
        tone="quiet"
        size="small"
        data-back
        className="-ml-3 px-2 @min-[600px]/desk:hidden"
        onPress={desk.close}
      >
        <ChevronLeft aria-hidden className="-mr-1 size-4" />
        Fields
      </Button>
      <span className="hidden size-8 shrink-0 items-center justify-center rounded-field bg-accent-soft text-accent-text @min-[600px]/desk:flex">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-xs leading-4 text-ink-faint">{kind}</p>
        <h2 className="truncate text-sm leading-5 font-semibold text-ink">
          <bdi>{title}</bdi>
        </h2>
      </div>
      {menu}
    </header>
  );
}

/** Keys that the platform does not know: shown, so that nobody thinks them lost. */
function KeptMembers({ value, known }: { value: unknown; known: readonly string[] }) {
  const kept = isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
  if (kept.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5 border-t border-line pt-4">
      <h3 className="text-[13px] font-medium text-ink">Kept as they are</h3>
      <ul className="flex flex-wrap gap-1.5">
        {kept.slice(0, 50).map((key) => (
          <li
            key={key}
            className="max-w-full truncate rounded-full border border-line bg-subtle px-2 font-mono text-xs leading-5 text-ink-soft"
          >
            <bdi>{key.slice(0, 200)}</bdi>
          </li>
        ))}
        {kept.length > 50 && (
          <li className="text-xs leading-5 text-ink-faint">and {kept.length - 50} more</li>
        )}
      </ul>
      <p className="text-[13px] leading-5 text-ink-faint">
        The platform does not know these keys. They have no effect, and every edit leaves them alone.
      </p>
    </div>
  );
}
