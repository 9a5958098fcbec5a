/** What a customer has answered so far on the launch page, and what it makes of it. Pure, so that it is the same everywhere. */
import type { LaunchInput, SettingAction } from "@/lib/contract/installation";
import type { MappingField, Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { mergeSettings } from "@/lib/domain/configuration";
import { checkMappings, guessPath, type SchemaPath } from "@/lib/domain/mapping";

export interface LaunchTenant {
  id: string;
  name: string;
  hostName: string;
  products: { name: string; paths: SchemaPath[] }[];
}

export interface LaunchOffer {
  versionId: string;
  number: string;
  title: string;
  name: string;
  publisherName: string;
  settings: Setting[];
  mappingFields: MappingField[];
  tenants: LaunchTenant[];
}

export interface LaunchDraft {
  tenantId: string | undefined;
  /** By setting name; a setting that was skipped is absent. */
  settings: ReadonlyMap<string, string>;
  /** By tenant, product and field, as JSON of the three: going back to another tenant loses nothing. */
  paths: ReadonlyMap<string, string>;
}

export type Step =
  | { id: "tenant"; title: string }
  | { id: "configure"; title: string }
  | { id: string; title: string; product: LaunchTenant["products"][number] }
  | { id: "review"; title: string };

export function emptyDraft(offer: LaunchOffer): LaunchDraft {
  const [only, ...others] = offer.tenants;
  return { tenantId: others.length === 0 ? only?.id : undefined, settings: new Map(), paths: new Map() };
}

export function tenantOf(offer: LaunchOffer, draft: LaunchDraft): LaunchTenant | undefined {
  return offer.tenants.find((tenant) => tenant.id === draft.tenantId);
}

/** A step that would ask nothing is not there. */
export function stepsOf(offer: LaunchOffer, draft: LaunchDraft): Step[] {
  const products = offer.mappingFields.length === 0 ? [] : (tenantOf(offer, draft)?.products ?? []);
  return [
    { id: "tenant", title: "Tenant" },
    ...(offer.settings.length === 0 ? [] : [{ id: "configure" as const, title: "Configure" }]),
    ...products.map((product, index) => ({ id: `map-${index + 1}`, title: `Map ${product.name}`, product })),
    { id: "review", title: "Review" },
  ];
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

export function withPath(
  draft: LaunchDraft,
  [tenantId, product, field]: [tenantId: string, product: string, field: string],
  path: string,
): LaunchDraft {
  return { ...draft, paths: new Map(draft.paths).set(pathKey(tenantId, product, field), path) };
}

/** The customer's own answer, or a guess from the field's name that the customer sees and can change. */
export function pathIn(
  draft: LaunchDraft,
  tenantId: string,
  product: LaunchTenant["products"][number],
  field: MappingField,
): string {
  return (
    draft.paths.get(pathKey(tenantId, product.name, field.name)) ?? guessPath(field, product.paths) ?? ""
  );
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
      mappings.map((product) => [
        product.name,
        Object.fromEntries(
          offer.mappingFields.map((field) => [field.name, pathIn(draft, tenant.id, product, field)]),
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
  const { issues } = mergeSettings(offer.settings, new Map(), input.settings);
  const products = offer.mappingFields.length === 0 ? [] : tenant.products.map((product) => product.name);
  return [...issues, ...checkMappings(offer.mappingFields, products, input.mappings).issues];
}

export function pointerTo(...parts: string[]): string {
  return parts.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The start of the pointers that a step answers for. */
export function pointerOfStep(step: Step): string {
  if (step.id === "tenant") return "/tenantId";
  if (step.id === "configure") return "/settings";
  return "product" in step ? pointerTo("mappings", step.product.name) : "/none";
}

export function within(issues: readonly Issue[], pointer: string): Issue[] {
  return issues.filter((issue) => issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`));
}
