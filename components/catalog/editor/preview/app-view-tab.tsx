"use client";

import { KeyRound } from "lucide-react";
import { type ReactNode, useId, useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeTabs } from "@/components/ui/technical-text";
import type { LaunchInput, StateRecord } from "@/lib/contract/catalog/configuration";
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import { AnswerSheet, withAnswers } from "@/lib/domain/catalog/answer-sheet";
import { mergeSettings } from "@/lib/domain/catalog/configuration";
import { checkMappings } from "@/lib/domain/catalog/mapping/check-mappings";
import { createLaunchInput } from "../../configuration-form/launch-draft";
import { useEditorStore } from "../model/editor-store";
import { createExampleAnswers, EXAMPLE_CORE_API_URL, EXAMPLE_TENANT } from "./example-customer";
import { LeftOutNotice, usePreview } from "./preview-store";
import { createSnippets, type SnippetFacts, snippetFacts } from "./snippets";

/** The state an app gets for the answers in the preview, and how it reads it. */
export function AppViewTab() {
  const view = useAppView();
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <LeftOutNotice count={view.leftOut} />
      <div className="grid min-w-0 items-start gap-4 @min-[62.5rem]:grid-cols-[2fr_3fr]">
        <RecordCard view={view} />
        <ReadCard facts={view.facts} />
      </div>
    </div>
  );
}

function RecordCard({ view }: { view: AppView }) {
  const store = useEditorStore();
  const json = useMemo(() => recordJson(view.record), [view.record]);
  return (
    <Card
      title="State record"
      description={describeSource(view)}
      actions={
        <Button size="small" onPress={() => store.openTab("preview")}>
          Open Preview
        </Button>
      }
    >
      <CodeBlock code={json} label="State record" wrap maxHeight={640} />
      {view.secrets.length > 0 && <SecretsNote titles={view.secrets} />}
      <dl className="mt-4 grid gap-x-4 gap-y-1.5 border-t border-line pt-4 text-small leading-5 sm:grid-cols-[auto_1fr]">
        {MEMBERS.map(([name, description]) => (
          <div key={name} className="contents">
            <dt translate="no" className="font-mono text-ink max-sm:mt-1">
              {name}
            </dt>
            <dd className="text-ink-soft">{description}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const MEMBERS = [
  ["settings", "By setting name. Settings that the customer skipped are absent."],
  ["mappings", "One entry per product: where it keeps each mapping field."],
  ["coreApiUrl", "The core's API for this customer."],
  ["tenantHostName", "The host name of the customer's tenant."],
  ["token", "For the core's API: a new one for each call, valid for 15 minutes. This is an example."],
] as const;

function describeSource({ isExample, missing }: AppView): string {
  if (isExample) return "Example values. Enter your own in Preview.";
  if (missing === 0) return "Uses the values you entered in Preview.";
  return "Uses the values you entered in Preview. Some required values are missing, so a launch would fail.";
}

const NAMED_SECRETS = 3;

function SecretsNote({ titles }: { titles: readonly string[] }) {
  const rest = titles.length - NAMED_SECRETS;
  return (
    <p className="mt-3 flex gap-2 text-small leading-5 text-ink-soft">
      <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 wrap-anywhere">
        {titles.slice(0, NAMED_SECRETS).map((title, index) => (
          <span key={index}>
            {index > 0 && ", "}
            <bdi className="font-medium text-ink">{title}</bdi>
          </span>
        ))}
        {rest > 0 && ` and ${rest} more`}
        {titles.length === 1
          ? " is secret. Only the app receives it in plain text."
          : " are secret. Only the app receives them in plain text."}
      </span>
    </p>
  );
}

/** `$KEY` is the value of the key header of the call that the app is handling. */
const STATE_COMMAND = `curl "$PLATFORM_STATE_API/state/$KEY"`;

function ReadCard({ facts }: { facts: SnippetFacts }) {
  const tabs = useMemo(
    () =>
      createSnippets(facts).map(({ language, code }) => ({
        title: language,
        code: <CodeBlock code={code} label={`App in ${language}`} maxHeight={640} />,
      })),
    [facts],
  );
  return (
    <Card
      title="Read the state"
      description="Each call from the platform carries a key that opens one state record."
    >
      <h3 className="mb-2 text-small font-medium text-ink">On the command line</h3>
      <CodeBlock code={STATE_COMMAND} label="Command" wrap />
      <ul className="mt-3 mb-6 space-y-1 text-small leading-5 text-ink-soft">
        <li>
          <Code>KEY</Code> is the call&apos;s <Code>{KEY_HEADER}</Code> header. It opens only that
          customer&apos;s state, and only during the call.
        </li>
        <li>
          <Code>PLATFORM_STATE_API</Code> is an environment variable of the container: an origin without a
          path.
        </li>
      </ul>
      <h3 className="mb-2 text-small font-medium text-ink">In code</h3>
      <CodeTabs id={useId()} tabs={tabs} />
      <p className="mt-3 text-small leading-5 text-ink-soft">
        Each is a complete app that listens on <Code>PLATFORM_PORT</Code>, answers <Code>GET /health</Code>{" "}
        and handles <Code>POST {facts.path}</Code>.
      </p>
    </Card>
  );
}

function Code({ children }: { children: ReactNode }) {
  return (
    <code translate="no" className="font-mono text-xs wrap-anywhere text-ink">
      {children}
    </code>
  );
}

/** Examples fill in one product: a customer maps only what a product has. */
const FILLED_PRODUCTS = EXAMPLE_TENANT.products.slice(0, 1);

interface AppView {
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

function useAppView(): AppView {
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

// The state record that an app would get for the answers in the preview.

export interface Answers extends Pick<LaunchInput, "settings" | "mappings"> {
  productNames: readonly string[];
  coreApiUrl: string;
  tenantHostName: string;
  token: string;
}

/** Omits settings without a valid value. Each product has an entry. */
export function createStateRecord(
  settings: readonly Setting[],
  mappingFields: readonly MappingField[],
  { coreApiUrl, tenantHostName, token, ...answers }: Answers,
): StateRecord {
  const { outcomes } = mergeSettings(settings, new Map(), answers.settings);
  const stored = outcomes.flatMap((outcome) =>
    outcome.store === "keep" ? [] : [[outcome.name, outcome.value] as const],
  );
  return {
    settings: Object.fromEntries(stored),
    mappings: checkMappings(mappingFields, answers.productNames, answers.mappings).mappings,
    coreApiUrl,
    tenantHostName,
    token,
  };
}

/** Escapes bidirectional marks, so that the record reads in its own order. */
export function recordJson(record: StateRecord): string {
  return JSON.stringify(record, null, 2).replace(
    /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Has the shape of a real token, but no valid signature. */
export function exampleToken(audience: string): string {
  const header = { alg: "EdDSA", typ: "JWT", kid: "example" };
  const payload = { aud: audience, sub: "example-installation", jti: "example-attempt" };
  return [JSON.stringify(header), JSON.stringify(payload), "example signature"].map(base64url).join(".");
}

function base64url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
