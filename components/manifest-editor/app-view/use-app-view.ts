"use client";

import { useMemo } from "react";
import { createLaunchInput } from "@/components/launch/launch-draft";
import { isSensitive } from "@/lib/contract/manifest-terms";
import type { StateRecord } from "@/lib/contract/state-record";
import { AnswerSheet, withAnswers } from "@/lib/domain/answer-sheet";
import { createExampleAnswers, EXAMPLE_CORE_API_URL, EXAMPLE_TENANT } from "../preview/example-customer";
import { usePreview } from "../preview/preview-store";
import { snippetFacts, type SnippetFacts } from "./snippet-text";
import { exampleToken, createStateRecord } from "./state-record";

/** Examples fill in one product: a customer maps only what a product has. */
const FILLED_PRODUCTS = EXAMPLE_TENANT.products.slice(0, 1);

export interface AppView {
  record: StateRecord;
  /** Nothing was entered in the preview, so the record has example values. */
  isExample: boolean;
  /** The titles of the sensitive settings in the record. */
  secrets: readonly string[];
  /** The number of issues that would prevent a launch with these values. */
  missing: number;
  facts: SnippetFacts;
  leftOut: number;
}

export function useAppView(): AppView {
  const { app, offer, sheet: typed, issues } = usePreview();
  return useMemo(() => {
    const isExample = typed.changes().size === 0;
    const examples = isExample ? createExampleAnswers(typed, FILLED_PRODUCTS) : [];
    const sheet = new AnswerSheet(typed.form, withAnswers(typed.answers, examples));
    const { settings, mappings } = createLaunchInput(offer, EXAMPLE_TENANT, sheet, true);
    const record = createStateRecord(offer.settings, offer.mappingFields, {
      settings,
      mappings,
      productNames: EXAMPLE_TENANT.products.map(({ name }) => name),
      coreApiUrl: EXAMPLE_CORE_API_URL,
      tenantHostName: EXAMPLE_TENANT.hostName,
      token: exampleToken(EXAMPLE_CORE_API_URL),
    });
    const secrets = offer.settings.filter(
      (setting) => isSensitive(setting) && Object.hasOwn(record.settings, setting.name),
    );
    return {
      record,
      isExample,
      secrets: secrets.map(({ title }) => title),
      missing: isExample ? 0 : issues.length,
      facts: snippetFacts(app),
      leftOut: app.leftOut,
    };
  }, [app, offer, typed, issues]);
}
