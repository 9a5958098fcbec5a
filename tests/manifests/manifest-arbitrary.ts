/** Manifests, source texts and edits for property tests. */
import fc from "fast-check";
import { FORBIDDEN_NAMES, LIFECYCLE_EVENTS } from "@/lib/contract/platform/manifest-terms";
import {
  type Entry,
  ENTRY_KINDS,
  ENTRY_LISTS,
  type EntryKind,
  INGREDIENTS,
  newEntry,
  toEntryKind,
} from "@/lib/domain/catalog/manifest/entry";
import { RESERVED_PORTS } from "@/lib/domain/platform/guarded-app";
import type { JsonEdit } from "@/lib/domain/platform/json-text/edit-text";

const isStorable = (value: unknown) => !/\\u0000|__proto__|\\ud[89a-f]/i.test(JSON.stringify(value));

/** Any Unicode but what the database cannot hold. */
const anyText = fc.string({ unit: "binary", maxLength: 20 }).filter(isStorable);
const shownText = anyText.filter((text) =>
  /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF0-\uFFF8]/u.test(text),
);
const fieldName = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,12}$/)
  .filter((name) => !FORBIDDEN_NAMES.includes(name));
const segment = fc.stringMatching(/^[a-z0-9_~-]{1,8}$/);
const path = fc.array(segment, { minLength: 1, maxLength: 2 }).map((parts) => `/p-${parts.join("/")}`);
const patterns = fc.array(fc.stringMatching(/^[a-z*]{1,6}(\.[a-z*]{1,6}){0,2}$/), {
  minLength: 1,
  maxLength: 3,
});
const slug = fc.stringMatching(/^[a-z]{2,6}(-[a-z0-9]{1,4}){0,2}$/);

/** Members that the platform does not know. */
export const unknownMembers = fc.dictionary(
  fc.stringMatching(/^x-[a-z "\\]{0,6}$/),
  fc.jsonValue({ maxDepth: 2 }).filter(isStorable),
  { maxKeys: 2 },
);

const withUnknown = <T extends object>(shape: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.tuple(unknownMembers, shape).map(([unknown, known]) => ({ ...unknown, ...known }));

const selectValues = fc.uniqueArray(
  withUnknown(fc.record({ text: anyText.filter((text) => text !== ""), value: anyText })),
  { minLength: 1, maxLength: 5, selector: ({ value }) => value },
);

const common = { name: fieldName, title: shownText, hint: anyText, required: fc.boolean() };
const optional = { requiredKeys: ["name", "title", "type"] as ["name", "title", "type"] };

const settings = fc.uniqueArray(
  fc.oneof(
    withUnknown(
      fc.record({ ...common, type: fc.constantFrom("Text", "Password"), sensitive: fc.boolean() }, optional),
    ),
    withUnknown(
      fc
        .tuple(
          fc.record({ ...common, type: fc.constant("Select"), sensitive: fc.boolean() }, optional),
          selectValues,
        )
        .map(([setting, values]) => ({ ...setting, values })),
    ),
  ),
  { maxLength: 5, selector: ({ name }) => name },
);

const format = fc.constantFrom("jsonpath" as const, "text" as const);
const anyMappingField = fc.record({ ...common, format }, { requiredKeys: ["name", "title"] });
const mappingFields = fc.uniqueArray(withUnknown(anyMappingField), {
  maxLength: 3,
  selector: ({ name }) => name,
});

/** A path belongs to one route, so all kinds are dealt from one hand. */
const routes = fc
  .uniqueArray(fc.record({ path, patterns, kind: fc.nat(3), title: shownText, unknown: unknownMembers }), {
    maxLength: 5,
    selector: ({ path }) => path,
  })
  .map((dealt) => {
    const of = (kind: number) => dealt.filter((route) => route.kind === kind);
    return {
      webhooks: of(0).map(({ path, patterns, unknown }) => ({ path, ...unknown, events: patterns })),
      autofill: of(1).map(({ path, patterns, unknown }) => ({ path, operations: patterns, ...unknown })),
      externalRaters: of(2).map(({ path, unknown }, index) => ({ ...unknown, name: `Rater ${index}`, path })),
      endpoints: of(3).map(({ path, title, unknown }, index) => ({
        ...unknown,
        path,
        methods: index % 2 === 0 ? ["GET" as const] : ["POST" as const, "DELETE" as const],
        access: index % 2 === 0 ? ("public" as const) : ("core" as const),
        title,
      })),
    };
  });

const permissions = fc.uniqueArray(
  withUnknown(
    fc.record({
      name: fc.constantFrom("policies:read", "claims:write", "acme.fleet:read"),
      purpose: shownText,
    }),
  ),
  { maxLength: 3, selector: ({ name }) => name },
);

const hosts = fc.uniqueArray(
  withUnknown(
    fc.record(
      {
        host: fc.constantFrom("api.vin.example", "*.maps.example", "xn--bcher-kva.example", "a.b-c.example"),
        purpose: shownText,
        ports: fc.uniqueArray(
          fc.integer({ min: 1, max: 65_535 }).filter((port) => !RESERVED_PORTS.includes(port)),
          { minLength: 1, maxLength: 3 },
        ),
        optional: fc.boolean(),
      },
      { requiredKeys: ["host", "purpose"] },
    ),
  ),
  { maxLength: 3, selector: ({ host }) => host },
);

const core = fc
  .tuple(
    mappingFields,
    routes,
    fc.subarray([...LIFECYCLE_EVENTS]),
    fc.record({ permissions, hosts }, { requiredKeys: [] }),
    unknownMembers,
  )
  .map(([fields, kinds, lifecycle, rights, unknown]) => ({
    fields,
    ...kinds,
    lifecycle,
    ...rights,
    ...unknown,
  }));

/** Valid, with unknown keys at every level. */
export const anyManifest = withUnknown(
  fc.record(
    {
      $schema: fc.constant("https://example.com/schemas/platform-app.json"),
      name: fc.tuple(slug, slug).map((parts) => parts.join("/")),
      version: fc.tuple(fc.nat(999_999_999_999_999), fc.nat(99), fc.nat(9)).map((parts) => parts.join(".")),
      app: withUnknown(fc.record({ fields: settings }, { requiredKeys: [] })),
      core,
    },
    { requiredKeys: ["name", "version"] },
  ),
);

/** Few names and few values, so that two manifests agree and disagree about the same settings. */
const sharedSettings = fc.uniqueArray(
  fc
    .record({
      name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      title: shownText,
      type: fc.constantFrom("Select" as const, "Text" as const, "Password" as const),
      required: fc.option(fc.boolean(), { nil: undefined }),
      sensitive: fc.option(fc.boolean(), { nil: undefined }),
      values: fc.subarray(["", "eu", "us", "********"], { minLength: 1 }),
    })
    .map(({ values, ...setting }) =>
      setting.type === "Select"
        ? { ...setting, values: values.map((value) => ({ text: `Choice '${value}'`, value })) }
        : setting,
    ),
  { maxLength: 6, selector: ({ name }) => name },
);

const sharedFields = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("vin", "make", "age"),
    title: shownText,
    required: fc.boolean(),
    format: fc.option(format, { nil: undefined }),
  }),
  { maxLength: 3, selector: ({ name }) => name },
);

const sharedManifest = fc
  .tuple(anyManifest, sharedSettings, sharedFields)
  .map(([base, settings, fields]) => ({
    ...base,
    app: { ...base.app, fields: settings },
    core: { ...base.core, fields },
  }));

/** Two versions of an app. */
export const anyTwoManifests = fc.tuple(sharedManifest, sharedManifest);

const space = fc.constantFrom("", "", " ", "\n", "\n  ", "\r\n\t", "  ");

/** JSON of a value in some layout: as a tool writes it, or as no tool does. */
export function textOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const indented = fc
    .tuple(value, fc.constantFrom(0, 1, 2, 4, "\t"), fc.constantFrom("\n", "\r\n"), fc.boolean())
    .map(
      ([it, indent, eol, ends]) => JSON.stringify(it, null, indent).replaceAll("\n", eol) + (ends ? eol : ""),
    );
  const spaced = fc
    .tuple(value, fc.array(space, { minLength: 5, maxLength: 30 }))
    .map(([it, spaces]) => scatter(JSON.stringify(it), spaces));
  return fc.oneof(indented, spaced);
}

export const anyManifestText = textOf(anyManifest);

/** Blanks around all tokens. */
function scatter(json: string, spaces: readonly string[]): string {
  let count = 0;
  const next = () => spaces[count++ % spaces.length] ?? "";
  return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => next() + token + next()) + next();
}

/** An edit that is not yet bound to an outline: `at` picks an entry of the outline it is applied to. */
export interface EditSeed {
  what: "member" | "entry" | "values" | "insert" | "remove" | "duplicate" | "move" | "name" | "around";
  at: number;
  to: number;
  text: string;
  value: unknown;
}

export const anyEditSeed: fc.Arbitrary<EditSeed> = fc.record({
  what: fc.constantFrom(
    ...(["member", "entry", "values", "insert", "remove", "duplicate", "move", "name", "around"] as const),
  ),
  at: fc.nat(1000),
  to: fc.nat(1000),
  text: anyText,
  value: fc.oneof(fc.jsonValue({ maxDepth: 2 }).filter(isStorable), fc.constant(undefined), fc.boolean()),
});

/** The seed as an edit of these entries, as the editor would make it. */
export function editOf({ what, at, to, text, value }: EditSeed, entries: readonly Entry[]): JsonEdit {
  const kind = pick<EntryKind>(ENTRY_KINDS, at);
  const family = entries.filter((entry) => entry.kind === kind);
  const entry = entries.length === 0 ? undefined : pick(entries, at);
  const list = ENTRY_LISTS[kind];
  const key = pick(["title", "hint", "name", "x-own", "required", "events", "values"], to);
  switch (what) {
    case "member":
      if (entry === undefined) break;
      return { type: "set", path: [...entry.path, key], value: to % 2 === 0 ? text : value };
    case "entry":
      if (entry === undefined) break;
      return { type: "assign", path: entry.path, members: { title: text, hint: undefined, [key]: value } };
    case "values": {
      const values = { list: [...(entry?.path ?? list), "values"], index: to % 4 };
      if (entry === undefined || entry.kind !== "setting") break;
      if (to % 3 === 0) return { type: "remove", ...values };
      if (to % 3 === 1) return { type: "move", list: values.list, from: [to % 2], to: to % 5 };
      return { type: "insert", ...values, value: { text, value: text } };
    }
    case "insert": {
      const ingredient = pick(INGREDIENTS, at);
      const value = newEntry(ingredient, entries);
      const place = { list: ENTRY_LISTS[toEntryKind(ingredient)], index: to % (family.length + 1) };
      if (value === undefined) break;
      return { type: "insert", ...place, value };
    }
    case "remove":
      return { type: "remove", list, index: to % (family.length + 1) };
    case "duplicate":
      if (family.length === 0) break;
      return { type: "duplicate", list, index: to % family.length, members: { name: text } };
    case "move": {
      const from = family.map(({ index }) => index).filter((index) => (at >> index) % 2 === 0);
      return { type: "move", list, from, to: to % (family.length + 1) };
    }
    case "around":
      return {
        type: "set",
        path: pick([["x-own"], ["app", "x"], ["core", "x"], ["core", "x", "y"]], to),
        value,
      };
    case "name":
      break;
  }
  return { type: "set", path: [pick(["name", "version"], to)], value: text };
}

function pick<T>(from: readonly T[], at: number): T {
  const picked = from[at % from.length];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}
