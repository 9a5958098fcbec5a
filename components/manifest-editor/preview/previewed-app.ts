/** The valid entries of a manifest, which can be shown while the others are being fixed. */
import {
  endpoint,
  manifest,
  mappingField,
  setting,
  type MappingField,
  type PublicEndpoint,
  type Setting,
} from "@/lib/contract/manifest";
import { LIFECYCLE_EVENTS, MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";
import { getMember } from "@/lib/domain/json-text/json-value";
import { ENTRY_LISTS, type Entry, type EntryKind, type Outline } from "@/lib/domain/manifest/outline/entry";

export type RouteKind = "autofill" | "webhook" | "rater" | "endpoint" | "lifecycle";

export interface PreviewedRoute {
  kind: RouteKind;
  path: string;
}

export interface PreviewedApp {
  settings: Setting[];
  mappingFields: MappingField[];
  publicEndpoints: PublicEndpoint[];
  /** What the platform calls, and the endpoints, in the order of the manifest. */
  routes: PreviewedRoute[];
  /** The number of entries that are not valid. */
  leftOut: number;
}

export function previewApp({ entries }: Pick<Outline, "entries">): PreviewedApp {
  const settings = readValid(entries, "setting", readSetting);
  const mappingFields = readValid(entries, "mapping", (value) => mappingField.safeParse(value).data);
  const routes = (["autofill", "webhook", "rater", "endpoint", "lifecycle"] as const).flatMap((kind) =>
    readValid(entries, kind, (value) => readRoute(kind, value)),
  );
  const endpoints = readValid(entries, "endpoint", (value) => endpoint.safeParse(value).data);
  const publicEndpoints = endpoints.filter(({ access }) => access === "public");
  const shown = settings.length + mappingFields.length + routes.length;
  return { settings, mappingFields, publicEndpoints, routes, leftOut: entries.length - shown };
}

/** The first of several entries with one name, and at most a hundred. */
function readValid<Shape extends { name: string } | { path: string }>(
  entries: readonly Entry[],
  kind: EntryKind,
  read: (value: unknown) => Shape | undefined,
): Shape[] {
  const found = new Map<string, Shape>();
  for (const entry of entries) {
    if (entry.kind !== kind || found.size >= MANIFEST_LIMITS.settings) continue;
    const shape = read(entry.value);
    if (shape === undefined) continue;
    const name = "name" in shape ? shape.name : shape.path;
    if (!found.has(name)) found.set(name, shape);
  }
  return [...found.values()];
}

/** A Select without choices cannot be shown. */
function readSetting(value: unknown): Setting | undefined {
  const { data } = setting.safeParse(value);
  return data?.type === "Select" && data.values === undefined ? undefined : data;
}

/** Reads an entry as a manifest that has only this entry, because the manifest defines the shapes of routes. */
function readRoute(kind: RouteKind, value: unknown): PreviewedRoute | undefined {
  const [, list] = ENTRY_LISTS[kind];
  const wrapped = { name: "", version: "", app: { fields: [] }, core: { [list]: [value] } };
  if (!manifest.safeParse(wrapped).success) return undefined;
  if (kind === "lifecycle") {
    const event = LIFECYCLE_EVENTS.find((each) => each === value);
    return event === undefined ? undefined : { kind, path: `/_app/${event}` };
  }
  const path = getMember(value, "path");
  return typeof path === "string" ? { kind, path } : undefined;
}
