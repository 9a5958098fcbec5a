/** The state record that an app would get for the answers in the preview. */
import type { LaunchInput } from "@/lib/contract/installation";
import type { MappingField, Setting } from "@/lib/contract/manifest";
import type { StateRecord } from "@/lib/contract/state-record";
import { mergeSettings } from "@/lib/domain/configuration";
import { checkMappings } from "@/lib/domain/mapping/check-mappings";

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
