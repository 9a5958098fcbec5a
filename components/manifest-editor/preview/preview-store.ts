"use client";

import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import {
  EMPTY_DRAFT,
  openLaunchSheet,
  type LaunchDraft,
  type LaunchOffer,
} from "@/components/launch/launch-draft";
import type { Issue } from "@/lib/contract/problem";
import type { AnswerSheet } from "@/lib/domain/answer-sheet";
import type { EditorStore } from "../model/editor-store";
import { useEditedListing, useEditor, useEditorStore } from "../model/use-editor";
import { EXAMPLE_TENANT } from "./example-customer";
import { previewApp, type PreviewedApp } from "./previewed-app";

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
  const app = useMemo(() => previewApp({ entries }), [entries]);
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
    tenants: [EXAMPLE_TENANT],
  };
}
