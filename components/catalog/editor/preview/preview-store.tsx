"use client";

import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { Notice } from "@/components/ui/notice";
import {
  endpoint,
  host,
  manifest,
  mappingField,
  type MappingField,
  permission,
  type PublicEndpoint,
  setting,
  type Setting,
} from "@/lib/contract/catalog/manifest";
import type { RightsView } from "@/lib/contract/catalog/rights";
import { LIFECYCLE_EVENTS, MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import type { AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { type Entry, ENTRY_LISTS, type EntryKind, type Outline } from "@/lib/domain/catalog/manifest/entry";
import { viewRights } from "@/lib/domain/catalog/rights";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import {
  EMPTY_DRAFT,
  type LaunchDraft,
  type LaunchOffer,
  openLaunchSheet,
} from "../../configuration-form/launch-draft";
import { type EditorStore, useEditedListing, useEditor, useEditorStore } from "../model/editor-store";
import { EXAMPLE_TENANT } from "./example-customer";

interface PreviewState {
  /** Also answers to settings that are gone: they may come back. */
  draft: LaunchDraft;
  /** The issues that are marked. */
  marked: readonly Issue[];
  /** The id of the open step. */
  step: string;
  width: "phone" | "desktop";
  /** The result of the last button, until the next one. */
  outcome: "ready" | "launched" | undefined;
}

/** What was typed lives as long as the editor, whichever tab is open. */
const stores = new WeakMap<EditorStore, StoreApi<PreviewState>>();

function storeFor(editor: EditorStore): StoreApi<PreviewState> {
  const known = stores.get(editor);
  if (known !== undefined) return known;
  const store = createStore<PreviewState>(() => ({
    draft: { ...EMPTY_DRAFT, tenantId: EXAMPLE_TENANT.id },
    marked: [],
    step: "",
    width: "desktop",
    outcome: undefined,
  }));
  stores.set(editor, store);
  return store;
}

interface Preview extends PreviewState {
  store: StoreApi<PreviewState>;
  app: PreviewedApp;
  offer: LaunchOffer;
  sheet: AnswerSheet;
  /** All issues, as the platform would report them to a customer. */
  issues: readonly Issue[];
}

/** The draft's app as the example customer sees it, and the answers. */
export function usePreview(): Preview {
  const editor = useEditorStore();
  const store = storeFor(editor);
  const { title, name } = useEditedListing();
  const entries = useEditor((state) => state.outline.entries);
  const version = useEditor((state) => state.outline.version);
  const state = useStore(store);
  const listsHosts = useEditor((state) => state.outline.listsHosts);
  const listsPermissions = useEditor((state) => state.outline.listsPermissions);
  const app = useMemo(
    () => previewApp({ entries, listsHosts, listsPermissions }),
    [entries, listsHosts, listsPermissions],
  );
  const offer = useMemo(() => createOffer(app, { title, name, version }), [app, title, name, version]);
  const sheet = useMemo(() => openLaunchSheet(offer, state.draft), [offer, state.draft]);
  const issues = useMemo(() => sheet.issues(), [sheet]);
  return { ...state, store, app, offer, sheet, issues };
}

function createOffer(
  app: PreviewedApp,
  { title, name, version }: { title: string; name: string; version: unknown },
): LaunchOffer {
  return {
    versionId: "preview",
    number: typeof version === "string" ? version.slice(0, 40) : "",
    title,
    name,
    publisherName: name.split("/")[0] ?? "",
    settings: app.settings,
    mappingFields: app.mappingFields,
    publicEndpoints: app.publicEndpoints,
    rights: app.rights,
    tenants: [EXAMPLE_TENANT],
  };
}

/** Why the preview does not show the whole manifest. */
export function LeftOutNotice({ count }: { count: number }) {
  const isBlocked = useEditor((state) => state.outline.blocked.length > 0);
  if (isBlocked)
    return (
      <Notice tone="warning" title="The manifest cannot be read">
        The preview shows the last valid text. The JSON tab marks the error.
      </Notice>
    );
  if (count === 0) return null;
  return (
    <Notice tone="warning" title={count === 1 ? "1 entry is left out" : `${count} entries are left out`}>
      {count === 1 ? "It is not valid, or repeats a name." : "They are not valid, or repeat a name."} The
      problems panel shows how to fix {count === 1 ? "it" : "them"}.
    </Notice>
  );
}

// The valid entries of a manifest, which can be shown while the others are being fixed.

type RouteKind = "autofill" | "webhook" | "rater" | "endpoint" | "lifecycle";

export interface PreviewedRoute {
  kind: RouteKind;
  path: string;
}

interface PreviewedApp {
  settings: Setting[];
  mappingFields: MappingField[];
  publicEndpoints: PublicEndpoint[];
  rights: RightsView;
  /** What the platform calls, and the endpoints, in the order of the manifest. */
  routes: PreviewedRoute[];
  /** The number of entries that are not valid. */
  leftOut: number;
}

export function previewApp({
  entries,
  listsHosts,
  listsPermissions,
}: Pick<Outline, "entries" | "listsHosts" | "listsPermissions">): PreviewedApp {
  const settings = readValid(entries, "setting", readSetting);
  const mappingFields = readValid(entries, "mapping", (value) => mappingField.safeParse(value).data);
  const routes = (["autofill", "webhook", "rater", "endpoint", "lifecycle"] as const).flatMap((kind) =>
    readValid(entries, kind, (value) => readRoute(kind, value)),
  );
  const endpoints = readValid(entries, "endpoint", (value) => endpoint.safeParse(value).data);
  const publicEndpoints = endpoints.filter(({ access }) => access === "public");
  const permissions = readValid(entries, "permission", (value) => permission.safeParse(value).data);
  const hosts = entries.flatMap(({ kind, value }) => {
    const declared = kind === "host" ? host.safeParse(value).data : undefined;
    return declared === undefined || (declared.host ?? declared.setting ?? "") === "" ? [] : [declared];
  });
  const declared = {
    permissions: listsPermissions ? permissions : undefined,
    hosts: listsHosts ? hosts : undefined,
  };
  const rights = viewRights({ name: "", version: "", app: { fields: settings }, core: declared });
  const shown = settings.length + mappingFields.length + routes.length + permissions.length + hosts.length;
  return { settings, mappingFields, publicEndpoints, rights, routes, leftOut: entries.length - shown };
}

/** The first of several entries with one name, and at most a hundred. */
function readValid<Shape extends { name: string } | { path: string }>(
  entries: readonly Entry[],
  kind: EntryKind,
  read: (value: unknown) => Shape | undefined,
): Shape[] {
  const found = new Map<string, Shape>();
  for (const entry of entries) {
    if (entry.kind !== kind || found.size >= MANIFEST_LIMITS.settings) continue;
    const shape = read(entry.value);
    if (shape === undefined) continue;
    const name = "name" in shape ? shape.name : shape.path;
    if (!found.has(name)) found.set(name, shape);
  }
  return [...found.values()];
}

/** A Select without choices cannot be shown. */
function readSetting(value: unknown): Setting | undefined {
  const { data } = setting.safeParse(value);
  return data?.type === "Select" && data.values === undefined ? undefined : data;
}

/** Reads an entry as a manifest that has only this entry, because the manifest defines the shapes of routes. */
function readRoute(kind: RouteKind, value: unknown): PreviewedRoute | undefined {
  const [, list] = ENTRY_LISTS[kind];
  const wrapped = { name: "", version: "", app: { fields: [] }, core: { [list]: [value] } };
  if (!manifest.safeParse(wrapped).success) return undefined;
  if (kind === "lifecycle") {
    const event = LIFECYCLE_EVENTS.find((each) => each === value);
    return event === undefined ? undefined : { kind, path: `/_app/${event}` };
  }
  const path = getMember(value, "path");
  return typeof path === "string" ? { kind, path } : undefined;
}
