"use client";

import { useMemo, useSyncExternalStore } from "react";
import { answersTo, EMPTY_DRAFT, issuesOf, type LaunchDraft } from "@/components/launch/launch-draft";
import type { LaunchOffer } from "@/components/launch/launch-offer";
import type { Issue } from "@/lib/contract/problem";
import type { EditorStore } from "../model/editor-store";
import { useEditedListing, useEditor, useEditorStore } from "../model/use-editor";
import { EXAMPLE_TENANT } from "./example-installation";
import { previewApp, type PreviewedApp } from "./previewed-app";

export interface PreviewState {
  /** Also of settings that are gone: they may come back. */
  draft: LaunchDraft;
  /** The problems that are marked. */
  shown: readonly Issue[];
  /** A step's id. */
  step: string;
  width: "phone" | "desktop";
  /** What the last press came to, until the next one. */
  outcome: "ready" | "launched" | undefined;
}

interface PreviewStore {
  state: () => PreviewState;
  subscribe: (listener: () => void) => () => void;
  set: (change: (state: PreviewState) => Partial<PreviewState>) => void;
}

/** What was typed lives as long as the editor, whichever tab is open. */
const stores = new WeakMap<EditorStore, PreviewStore>();

function previewStoreOf(editor: EditorStore): PreviewStore {
  const known = stores.get(editor);
  if (known !== undefined) return known;
  let state: PreviewState = {
    draft: { ...EMPTY_DRAFT, tenantId: EXAMPLE_TENANT.id },
    shown: [],
    step: "",
    width: "desktop",
    outcome: undefined,
  };
  const listeners = new Set<() => void>();
  const store: PreviewStore = {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (change) => {
      state = { ...state, ...change(state) };
      for (const listener of listeners) listener();
    },
  };
  stores.set(editor, store);
  return store;
}

export interface Preview extends PreviewState {
  app: PreviewedApp;
  offer: LaunchOffer;
  /** All of them, as the platform would tell a customer. */
  issues: readonly Issue[];
  set: PreviewStore["set"];
}

/** The draft's app as the example customer meets it, and what was answered. */
export function usePreview(): Preview {
  const editor = useEditorStore();
  const store = previewStoreOf(editor);
  const { title, name } = useEditedListing();
  const entries = useEditor((state) => state.outline.entries);
  const version = useEditor((state) => state.outline.version);
  const state = useSyncExternalStore(store.subscribe, store.state, store.state);
  const app = useMemo(() => previewApp({ entries }), [entries]);
  const offer = useMemo(() => offerOf(app, { title, name, version }), [app, title, name, version]);
  const draft = useMemo(() => answersTo(offer, state.draft), [state.draft, offer]);
  const issues = useMemo(() => issuesOf(offer, draft), [offer, draft]);
  return { ...state, app, offer, draft, issues, set: store.set };
}

function offerOf(app: PreviewedApp, about: { title: string; name: string; version: unknown }): LaunchOffer {
  return {
    versionId: "preview",
    number: typeof about.version === "string" ? about.version.slice(0, 40) : "",
    title: about.title,
    name: about.name,
    publisherName: about.name.split("/")[0] ?? "",
    settings: app.settings,
    mappingFields: app.mappingFields,
    tenants: [EXAMPLE_TENANT],
  };
}
