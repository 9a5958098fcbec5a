"use client";

import { useMemo } from "react";
import { createLaunchInput } from "@/components/launch/launch-draft";
import { isSensitive } from "@/lib/contract/manifest";
import type { StateRecord } from "@/lib/contract/state-record";
import { AnswerSheet, withAnswers } from "@/lib/domain/answer-sheet";
import { createExampleAnswers, EXAMPLE_CORE_API_URL, EXAMPLE_TENANT } from "../preview/example-customer";
import { usePreview } from "../preview/preview-store";
import { snippetFacts, type SnippetFacts } from "./snippet-text";
import { exampleToken, stateRecordOf } from "./state-record";

/** Examples fill in one product: a customer maps only what a product has. */
const FILLED_PRODUCTS = EXAMPLE_TENANT.products.slice(0, 1);

export interface AppView {
  record: StateRecord;
  /** Nothing is typed in the preview, so examples stand in. */
  isExample: boolean;
  /** Titles of the sensitive settings that the record holds. */
  secrets: readonly string[];
  /** What a launch with these values would be refused for. */
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
    const record = stateRecordOf(offer.settings, offer.mappingFields, {
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
