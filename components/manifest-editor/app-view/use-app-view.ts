"use client";

import { useMemo } from "react";
import { launchInputOf } from "@/components/launch/launch-draft";
import { isSensitive } from "@/lib/contract/manifest";
import type { StateRecord } from "@/lib/contract/state-record";
import { EXAMPLE_CORE_API_URL, EXAMPLE_TENANT } from "../preview/example-installation";
import { fillWithExamples } from "../preview/example-values";
import { usePreview } from "../preview/preview-values";
import { snippetFacts, type SnippetFacts } from "./snippet-text";
import { exampleToken, stateRecordOf } from "./state-record";

/** Of the other products the likely places alone are filled in: a customer maps what a product has. */
const FILLED_TENANT = { ...EXAMPLE_TENANT, products: EXAMPLE_TENANT.products.slice(0, 1) };

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
  const { app, offer, draft: typed, issues } = usePreview();
  return useMemo(() => {
    const isExample = typed.settings.size === 0 && typed.paths.size === 0;
    const draft = isExample ? fillWithExamples(offer, FILLED_TENANT, typed) : typed;
    const { settings, mappings } = launchInputOf(offer, draft, EXAMPLE_TENANT, true);
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
