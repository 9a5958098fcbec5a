/** What a customer has answered so far on the launch page, and what it makes of it. Pure, so that it is the same everywhere. */
import type { LaunchInput, SettingAction } from "@/lib/contract/installation";
import type { MappingField } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { mergeAnswers } from "@/lib/domain/configuration-answers";
import type { LaunchOffer, LaunchTenant } from "./launch-offer";

export interface LaunchDraft {
  tenantId: string | undefined;
  /** By setting name; a setting that was skipped is absent. */
  settings: ReadonlyMap<string, string>;
  /** By tenant, product and field, as JSON of the three: going back to another tenant loses nothing. */
  paths: ReadonlyMap<string, string>;
}

/** `pointer`: the place of the answer that changes. The same function for as long as the page is there. */
export type ChangeDraft = (change: (draft: LaunchDraft) => LaunchDraft, pointer: string) => void;

export const EMPTY_DRAFT: LaunchDraft = { tenantId: undefined, settings: new Map(), paths: new Map() };

/** An only tenant need not be chosen. */
export function tenantOf(offer: LaunchOffer, draft: LaunchDraft): LaunchTenant | undefined {
  const [only, ...others] = offer.tenants;
  const chosen = offer.tenants.find((tenant) => tenant.id === draft.tenantId);
  return chosen ?? (others.length === 0 ? only : undefined);
}

export function pathKey(tenantId: string, product: string, field: string): string {
  return JSON.stringify([tenantId, product, field]);
}

export function withSetting(draft: LaunchDraft, name: string, value: string | undefined): LaunchDraft {
  const settings = new Map(draft.settings);
  if (value === undefined) settings.delete(name);
  else settings.set(name, value);
  return { ...draft, settings };
}

type Place = readonly [tenantId: string, product: string, field: string];

export function withPath(draft: LaunchDraft, place: Place, path: string): LaunchDraft {
  return withPaths(draft, [[place, path]]);
}

export function withPaths(draft: LaunchDraft, answers: readonly (readonly [Place, string])[]): LaunchDraft {
  const paths = new Map(draft.paths);
  for (const [place, path] of answers) {
    if (path === "") paths.delete(pathKey(...place));
    else paths.set(pathKey(...place), path);
  }
  return { ...draft, paths };
}

/** Empty: skipped. */
export function pathIn(draft: LaunchDraft, tenantId: string, product: string, field: MappingField): string {
  return draft.paths.get(pathKey(tenantId, product, field.name)) ?? "";
}

/** Answers to what the offered version does not ask, or does not offer, are kept and not sent. */
export function answersTo({ settings }: LaunchOffer, draft: LaunchDraft): LaunchDraft {
  const declared = new Map(settings.map((setting) => [setting.name, setting]));
  const asked = [...draft.settings].filter(([name, value]) => {
    const setting = declared.get(name);
    if (setting?.type !== "Select") return setting !== undefined;
    return setting.values?.some((item) => item.value === value) === true;
  });
  return asked.length === draft.settings.size ? draft : { ...draft, settings: new Map(asked) };
}

export function launchInputOf(
  offer: LaunchOffer,
  draft: LaunchDraft,
  tenant: LaunchTenant,
  test: boolean,
): LaunchInput {
  const settings = [...draft.settings].map(([name, value]): [string, SettingAction] => [
    name,
    { action: "set", value },
  ]);
  const mappings = offer.mappingFields.length === 0 ? [] : tenant.products;
  return {
    versionId: offer.versionId,
    tenantId: tenant.id,
    test,
    settings: Object.fromEntries(settings),
    mappings: Object.fromEntries(
      mappings.map(({ name }) => [
        name,
        Object.fromEntries(
          offer.mappingFields.map((field) => [field.name, pathIn(draft, tenant.id, name, field)]),
        ),
      ]),
    ),
  };
}

/** The same checks as the server's, so that each step tells its problems before the next one. */
export function issuesOf(offer: LaunchOffer, draft: LaunchDraft): Issue[] {
  const tenant = tenantOf(offer, draft);
  if (tenant === undefined)
    return [
      { code: "tenant-required", pointer: "/tenantId", message: "Choose the tenant to launch it for." },
    ];
  const input = launchInputOf(offer, draft, tenant, false);
  const productNames = tenant.products.map((product) => product.name);
  return mergeAnswers(offer, { kept: new Map(), mappings: [], productNames }, input).issues;
}
