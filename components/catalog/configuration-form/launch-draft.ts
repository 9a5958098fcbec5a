/** What a customer has answered on the launch page so far. Pure; the editor's preview uses it too. */
import type { ConfigurationCheckInput, LaunchInput, SettingView } from "@/lib/contract/catalog/configuration";
import type { MappingField, PublicEndpoint, Setting } from "@/lib/contract/catalog/manifest";
import type { Terms } from "@/lib/contract/catalog/listing";
import type { Enforcement, RightsView } from "@/lib/contract/catalog/rights";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import {
  type Answer,
  type AnswerChange,
  AnswerSheet,
  type ChosenAnswers,
  LOST_SECRET,
  UNTOUCHED,
  withAnswers,
} from "@/lib/domain/catalog/answer-sheet";
import { settingPointer } from "@/lib/domain/catalog/configuration";

export interface LaunchProduct {
  name: string;
  /** JSON Schema of its policy data, as the core gave it. */
  schema?: unknown;
  /** Policy data as the core gave it. */
  sample?: unknown;
}

export interface LaunchTenant {
  id: string;
  name: string;
  hostName: string;
  /** On the platform's own core, for Test Launches only. */
  sandbox?: boolean;
  /** Id of the installation of this app that the tenant already has. It cannot have a second one. */
  installedAs?: string;
  products: LaunchProduct[];
}

/** What can be launched, for which tenants, and what it asks. */
export interface LaunchOffer {
  versionId: string;
  number: string;
  title: string;
  name: string;
  publisherName: string;
  settings: Setting[];
  mappingFields: MappingField[];
  /** The app can check the settings before the launch. */
  checksConfiguration?: boolean;
  publicEndpoints: PublicEndpoint[];
  rights: RightsView;
  /** The publisher's, which must be accepted. */
  terms?: Terms;
  /** False for an app that runs as a plain process; undefined if that isn't known yet. */
  isolated?: boolean;
  /** Absent in previews. */
  enforcement?: Enforcement;
  /** What a Test Launch can run, newest first. */
  versions?: { versionId: string; number: string; verified: boolean }[];
  /** All of them, or with a `tenantSearch` those that it found, and the one that the address names. */
  tenants: LaunchTenant[];
  /** For an organization with many tenants. */
  tenantSearch?: TenantSearch;
  /** One of all tenants is the sandbox. */
  hasSandbox?: boolean;
  /** The settings of a trial, which are kept unless they are changed. */
  carried?: { installationId: string; settings: SettingView[] };
  /** Why no trial can start now, and those that the member has. */
  trialLimit?: TrialLimit;
  /** The token of its link, if the listing is shown by link. */
  link?: string;
  /** It is a pilot version, to which the member agreed on the page. */
  pilot?: true;
}

interface TrialLimit {
  /** What the server says when somebody starts one. */
  detail: string;
  /** `organizationName`: of another organization than the one that the page is for. */
  trials: { id: string; title: string; organizationName?: string; isEnding: boolean }[];
}

/** How many tenants a search found, of which the offer has the first ones. */
export interface TenantSearch {
  typed: string;
  /** Tenants without this app: all of them, and those that match. */
  free: number;
  found: number;
  /** Tenants that have it already. */
  installed: number;
  foundInstalled: number;
}

/** There is a tenant left that the app can be launched for. */
export function hasFreeTenant({
  tenants,
  tenantSearch,
}: Pick<LaunchOffer, "tenants" | "tenantSearch">): boolean {
  if (tenantSearch !== undefined) return tenantSearch.free > 0;
  return tenants.some(({ installedAs }) => installedAs === undefined);
}

export interface LaunchDraft {
  tenantId: string | undefined;
  /** Mappings have the tenant in front of their pointer, so that going back to another tenant loses nothing. */
  answers: ChosenAnswers;
}

export const EMPTY_DRAFT: LaunchDraft = { tenantId: undefined, answers: UNTOUCHED };

/** A tenant that has the app cannot get it again. A single other one is selected without asking, unless a search found it. */
export function selectedTenant(
  { tenants, tenantSearch }: Pick<LaunchOffer, "tenants" | "tenantSearch">,
  { tenantId }: Pick<LaunchDraft, "tenantId">,
): LaunchTenant | undefined {
  const selectable = tenants.filter(({ installedAs }) => installedAs === undefined);
  const [only, ...others] = selectable;
  const isOnly = tenantSearch === undefined && others.length === 0;
  return selectable.find((tenant) => tenant.id === tenantId) ?? (isOnly ? only : undefined);
}

function mappingPrefix(tenant: LaunchTenant | undefined): string {
  return pointerTo("tenants", tenant?.id ?? "");
}

/** `changes`: with pointers as the sheet of the selected tenant has them. */
export function withDraftAnswers(
  offer: Pick<LaunchOffer, "tenants" | "tenantSearch">,
  draft: LaunchDraft,
  changes: readonly AnswerChange[],
): LaunchDraft {
  const prefix = mappingPrefix(selectedTenant(offer, draft));
  const keyed = changes.map(([pointer, answer]): AnswerChange => [
    pointer.startsWith("/mappings/") ? prefix + pointer : pointer,
    answer,
  ]);
  return { ...draft, answers: withAnswers(draft.answers, keyed) };
}

/** `hidden`: names of settings whose answers are not used. `lost`: of secrets that must be entered again. */
export function openLaunchSheet(
  offer: Pick<LaunchOffer, "settings" | "mappingFields" | "tenants" | "tenantSearch" | "carried">,
  draft: LaunchDraft,
  hidden: ReadonlySet<string> = new Set(),
  lost: ReadonlySet<string> = new Set(),
): AnswerSheet {
  const tenant = selectedTenant(offer, draft);
  const prefix = mappingPrefix(tenant);
  const ignored = new Set([...hidden].map((name) => pointerTo("settings", name)));
  const answers = [...draft.answers].flatMap(([key, answer]): [string, Answer][] => {
    if (key.startsWith("/settings/")) return ignored.has(key) ? [] : [[key, answer]];
    return key.startsWith(`${prefix}/`) ? [[key.slice(prefix.length), answer]] : [];
  });
  const { settings: declared, mappingFields } = offer;
  const products = mappingFields.length === 0 ? [] : (tenant?.products ?? []);
  const asks = declared.filter((setting) => isSensitive(setting) && lost.has(setting.name)).map(askForLost);
  const settings = offer.carried?.settings ?? [];
  const form = { declared, mappingFields, products, settings, mappings: [], asks };
  return new AnswerSheet(form, new Map(answers));
}

function askForLost({ name, title }: Setting): Issue {
  const message = `Enter ${title} again. Secrets are not saved in this browser.`;
  return { code: LOST_SECRET, pointer: settingPointer(name), message };
}

export function createLaunchInput(
  { versionId, carried, link, pilot }: LaunchOffer,
  tenant: LaunchTenant,
  sheet: AnswerSheet,
  test: boolean,
  openEndpoints = false,
  acceptedTerms?: Terms,
): LaunchInput {
  const carryFrom = carried?.installationId;
  const given = { acceptedTerms, carryFrom, link, pilot };
  return { versionId, tenantId: tenant.id, test, openEndpoints, ...given, ...sheet.toSend() };
}

export function createCheckInput(
  { versionId, carried, link, pilot }: LaunchOffer,
  tenant: LaunchTenant,
  sheet: AnswerSheet,
  test: boolean,
): ConfigurationCheckInput {
  const carryFrom = carried?.installationId;
  return { for: "launch", versionId, tenantId: tenant.id, test, carryFrom, link, pilot, ...sheet.toSend() };
}

/** The same checks as the server's, so that each step shows its issues before the next one opens. */
export function findLaunchIssues(tenant: LaunchTenant | undefined, sheet: AnswerSheet): Issue[] {
  if (tenant === undefined)
    return [
      { code: "tenant-required", pointer: "/tenantId", message: "Choose a tenant to launch the app for." },
    ];
  return sheet.issues();
}
