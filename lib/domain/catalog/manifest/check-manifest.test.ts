import { describe, expect, test } from "vitest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { cpuTime } from "@/tests/cpu-time";
import { checkManifest } from "./check-manifest";

const VALID = {
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: {
    fields: [{ name: "region", title: "Region", type: "Select", values: [{ text: "Europe", value: "eu" }] }],
  },
  core: { webhooks: [{ path: "/events", events: ["policy.issued"] }], lifecycle: ["install"], hosts: [] },
};

const withFields = (...fields: unknown[]) => JSON.stringify({ ...VALID, app: { fields } });
const withCore = (core: object) => JSON.stringify({ ...VALID, core: { hosts: [], ...core } });
const codes = (text: string) => checkManifest(text).issues.map((issue) => `${issue.code} ${issue.pointer}`);

test("a valid manifest is returned with its unknown keys, which get warnings", () => {
  const extended = { ...VALID, "x-own": { deep: [1] }, app: { ...VALID.app, theme: "dark" } };
  const { manifest, issues } = checkManifest(JSON.stringify(extended));
  expect(manifest).toEqual(extended);
  expect(issues.map(({ severity, pointer }) => [severity, pointer])).toEqual([
    ["warning", "/app/theme"],
    ["warning", "/x-own"],
  ]);
});

test.each([
  ["no app", undefined],
  ["an app without fields", {}],
  ["an app with other keys only", { "x-own": 1 }],
])("%s means no settings: valid, with a hint", (_what, app) => {
  const { manifest, issues } = checkManifest(JSON.stringify({ ...VALID, app }));
  expect(listSettings(manifest)).toEqual([]);
  expect(manifest).toBeDefined();
  expect(issues.filter(({ severity }) => severity !== "warning")).toMatchObject([
    { code: "NO_SETTINGS", pointer: "/app/fields", severity: "hint", line: 1 },
  ]);
});

test("a configuration check is true or false, and needs settings to check", () => {
  const withCheck = (
    configurationCheck: unknown,
    fields: object[] = [{ name: "a", title: "A", type: "Text" }],
  ) => JSON.stringify({ ...VALID, app: { fields }, core: { configurationCheck, hosts: [] } });
  expect(codes(withCheck(true))).toEqual([]);
  expect(codes(withCheck(false, []))).toEqual([]);
  expect(codes(withCheck("yes"))).toEqual(["WRONG_TYPE /core/configurationCheck"]);
  expect(checkManifest(withCheck(true, []))).toMatchObject({
    manifest: { core: { configurationCheck: true } },
    issues: [{ code: "NOTHING_TO_CHECK", pointer: "/core/configurationCheck", severity: "warning" }],
  });
});

test("an empty list of settings needs no hint, and a list of another type is an error", () => {
  expect(codes(withFields())).toEqual([]);
  expect(codes(JSON.stringify({ ...VALID, app: null }))).toEqual(["WRONG_TYPE /app"]);
  expect(codes(JSON.stringify({ ...VALID, app: { fields: {} } }))).toEqual(["WRONG_TYPE /app/fields"]);
});

test("all issues are found at once, each with its position and how to fix it", () => {
  const text = [
    "{",
    '  "name": "Acme/x",',
    '  "version": "01.2.3",',
    '  "app": { "fields": [',
    '    { "name": "a", "title": "A", "type": "Select" },',
    '    { "name": "a", "title": "B", "type": "Text", "values": [] },',
    '    { "name": "1", "type": "Number" }',
    "  ] }",
    "}",
  ].join("\n");
  const { manifest, issues } = checkManifest(text);
  expect(manifest).toBeUndefined();
  expect(issues.map(({ code, pointer, line, column }) => `${code} ${pointer} ${line}:${column}`)).toEqual([
    "BAD_NAME /name 2:11",
    "BAD_VERSION /version 3:14",
    "VALUES_MISSING /app/fields/0/values 5:5",
    "DUPLICATE_NAME /app/fields/1/name 6:15",
    "VALUES_NOT_ALLOWED /app/fields/1/values 6:60",
    "MISSING /app/fields/2/title 7:5",
    "BAD_FORMAT /app/fields/2/name 7:15",
    "WRONG_VALUE /app/fields/2/type 7:28",
  ]);
});

test("values that do not belong to a setting are one issue, whatever is wrong with them", () => {
  for (const values of [[], [{ text: "" }], [{ txt: "A" }, 7], Array.from({ length: 300 }, () => ({}))])
    expect(codes(withFields({ name: "a", title: "A", type: "Text", values }))).toEqual([
      "VALUES_NOT_ALLOWED /app/fields/0/values",
    ]);
  expect(codes(withFields({ name: "a", title: "A", type: "Select", values: [] }))).toEqual([
    "TOO_SHORT /app/fields/0/values",
  ]);
});

test.each([
  ["a key", withFields({ name: "a", Title: "A", type: "Text" }), 'Did you mean "title"?'],
  [
    "a key of a route",
    withCore({ autofill: [{ path: "/a", operation: ["x"] }] }),
    'Did you mean "operations"?',
  ],
  ["a type", withFields({ name: "a", title: "A", type: "select" }), 'Did you mean "Select"?'],
  ["an event", withCore({ lifecycle: ["instal"] }), 'Did you mean "install"?'],
])("what was meant by %s is named", (_what, text, hint) => {
  expect(
    checkManifest(text)
      .issues.map((issue) => issue.hint)
      .join(" "),
  ).toContain(hint);
});

// Guarantee: what is wrong in every entry of a list is said once.
test("warnings that say the same about entries of a list are one", () => {
  const mapping = (name: string) => ({ name, title: name, type: "text" });
  const core = { fields: ["vin", "make", "model"].map(mapping) };
  expect(checkManifest(withCore(core)).issues).toMatchObject([
    {
      code: "UNKNOWN_KEY",
      pointer: "/core/fields/0/type",
      message: 'The platform doesn\'t recognize the key "type". The same in 2 more entries.',
      hint: 'Mapping fields have no type. With "format": "text", customers enter any text; without a format, a JSONPath.',
      severity: "warning",
    },
  ]);
  const titles = ["K\u202Eey", "V\u202Ein"].map((title, index) => ({
    name: `a${index}`,
    title,
    type: "Text",
  }));
  expect(codes(withFields(...titles))).toEqual(["BIDI_CONTROL /app/fields/0/title"]);
  const secrets = ["apiKey", "password"].map((name) => ({ name, title: "T", type: "Text" }));
  expect(codes(withFields(...secrets))).toEqual(["LOOKS_SECRET /app/fields/0", "LOOKS_SECRET /app/fields/1"]);
  const other = [mapping("vin"), { ...mapping("make"), kind: 1 }];
  expect(codes(withCore({ fields: other }))).toEqual([
    "UNKNOWN_KEY /core/fields/0/type",
    "UNKNOWN_KEY /core/fields/1/kind",
  ]);
});

/** A list of each section, as apps depend on it. */
const SECTION = {
  webhooks: [{ path: "/notify", events: ["policy.create"] }],
  fields: [{ name: "vin", title: "VIN", type: "text" }],
};

// Guarantee: an app that would do nothing on the platform is not published with warnings only.
test.each<[string, object, string, RegExp]>([
  [
    "the settings of an earlier form",
    { config: { fields: [{ name: "vin", title: "VIN", type: "mapped" }] } },
    "/config",
    /Move the entries of "config.fields" to "app.fields".*"mapped" go to "core.fields"/,
  ],
  ["variables", { env: { LOG_LEVEL: "debug" } }, "/env", /ENV in the Dockerfile.*setting in "app.fields"/],
  ["core under another name", { acme: SECTION }, "/acme", /^Rename it to "core"/],
  ["only mappings under another name", { acme: { fields: SECTION.fields } }, "/acme", /^Rename it to "core"/],
  ["only hooks under another name", { acme: { lifecycle: ["start"] } }, "/acme", /^Rename it to "core"/],
  ["webhooks at the top", { webhooks: SECTION.webhooks }, "/webhooks", /^Move it to "core.webhooks"/],
  ["hooks at the top", { lifecycle: ["start"] }, "/lifecycle", /^Move it to "core.lifecycle"/],
  ["settings at the top", { fields: SECTION.fields }, "/fields", /^Move it to "app.fields"/],
  [
    "a route beside the settings",
    { app: { ...VALID.app, autofill: [{ path: "/a", operations: ["x"] }] } },
    "/app/autofill",
    /^Move it to "core.autofill"/,
  ],
  [
    "the settings under another name",
    { app: undefined, App: { fields: VALID.app.fields } },
    "/App",
    /^Rename it to "app"/,
  ],
  [
    "settings in a list of another name",
    { settings: VALID.app.fields },
    "/settings",
    /^Move it to "app.fields"/,
  ],
  ["a misspelled list", { core: { webhook: SECTION.webhooks } }, "/core/webhook", /^Rename it to "webhooks"/],
  ["misspelled settings", { app: { Fields: VALID.app.fields } }, "/app/Fields", /^Move it to "app.fields"/],
  [
    "a mapping among the settings",
    { app: { fields: [{ name: "vin", title: "VIN", type: "mapped" }] } },
    "/app/fields/0/type",
    /^Move this entry to "core.fields"/,
  ],
])("%s in the wrong place is an error with what to write instead", (_what, members, pointer, hint) => {
  const { name, version, app } = VALID;
  const { manifest, issues } = checkManifest(JSON.stringify({ name, version, app, ...members }));
  expect(manifest).toBeUndefined();
  expect(issues.filter((issue) => issue.pointer.startsWith(pointer))).toMatchObject([
    {
      code: "MISPLACED_KEY",
      pointer,
      severity: "error",
      message: expect.stringContaining("although the app depends on it"),
      hint: expect.stringMatching(hint),
    },
  ]);
});

test.each<[string, object]>([
  ["empty sections and lists", { config: {}, env: {}, acme: { webhooks: [], fields: [] }, fields: [] }],
  ["keys of the publisher's own", { "x-acme": SECTION, config: 7, notes: { fields: [1] } }],
  ["a second section beside core", { acme: SECTION }],
  ["lists of other things", { core: { ...VALID.core, notes: [1] }, tags: ["a"], people: [{ name: "A" }] }],
  ["an empty list that is misspelled", { core: { ...VALID.core, webhooks: undefined, webhook: [] } }],
])("%s stay warnings", (_what, members) => {
  const { manifest, issues } = checkManifest(JSON.stringify({ ...VALID, ...members }));
  expect(manifest).toBeDefined();
  expect(new Set(issues.map(({ code, severity }) => `${code} ${severity}`))).toEqual(
    new Set(["UNKNOWN_KEY warning"]),
  );
});

test.each([
  ["changeLogFile", "./CHANGELOG.md", /--notes @<file>/],
  ["releaseNotesFile", "./NOTES.md", /--notes @<file>/],
  ["targetPlatform", "kernel", /every core/],
])("%s has no effect, and the warning says what has", (key, value, hint) => {
  expect(checkManifest(JSON.stringify({ ...VALID, [key]: value })).issues).toMatchObject([
    { code: "UNKNOWN_KEY", pointer: `/${key}`, severity: "warning", hint: expect.stringMatching(hint) },
  ]);
});

test("a key that is there already is not suggested", () => {
  const { issues } = checkManifest(withFields({ name: "a", title: "A", Title: "B", type: "Text" }));
  expect(issues.map(({ hint }) => hint)).toEqual([expect.stringContaining("Known keys here")]);
});

test.each(["\u200b", "\u2060\ufeff ", "\u3164\u115f", "\u00ad", "\u{e0061}"])(
  "a title of invisible characters (%j) is empty",
  (title) => {
    expect(codes(withFields({ name: "a", title, type: "Text" }))).toContain("TOO_SHORT /app/fields/0/title");
  },
);

test.each(["A\u200bB", "\u200f\u05d0", "日本", "👩‍💻", "ß", "…"])("the title %j is shown", (title) => {
  expect(checkManifest(withFields({ name: "a", title, type: "Text" })).manifest).toBeDefined();
});

test.each(["20240611.1.0", "999999999999999.0.999999999999999"])("the version %s is valid", (version) => {
  expect(codes(JSON.stringify({ ...VALID, version }))).toEqual([]);
});

describe("what JSON alone can get wrong", () => {
  test.each([
    ["nothing", "", "BROKEN_JSON "],
    ["text", "hello", "BROKEN_JSON "],
    ["a comment", '{ /* x */ "name": 1 }', "BROKEN_JSON "],
    ["a comma too many", '{ "name": "acme/x", }', "BROKEN_JSON "],
    ["a byte order mark", `\uFEFF${JSON.stringify(VALID)}`, "BYTE_ORDER_MARK "],
    ["ten thousand levels", "[".repeat(10_000), "TOO_DEEP "],
    ["ten thousand levels of objects", '{"a":'.repeat(10_000), "TOO_DEEP "],
    ["more than a MiB", " ".repeat(1024 * 1024 + 1), "TOO_LARGE "],
    ["more than a MiB of UTF-8", `"${"é".repeat(600_000)}"`, "TOO_LARGE "],
    ["a raw NUL", '{ "name": "a\0" }', "BROKEN_JSON "],
  ])("%s", (_what, text, issue) => {
    expect(codes(text)[0]).toBe(issue);
  });

  test.each([
    ['{ "name": "acme/x", }', "an extra comma", 19],
    ['{ "a": 1,, "b": 2 }', "an extra comma", 10],
    ['{ "a": [1, 2, ] }', "an extra comma", 13],
    ["[,1]", "an extra comma", 2],
    ['{ "a": tru }', "not a valid JSON value", 8],
    ['{ a: "b" }', "not a valid JSON value", 3],
    ['{ "a": }', "value is expected", 8],
  ])("one mistake in %s is one issue", (text, message, column) => {
    expect(checkManifest(text).issues).toMatchObject([
      { code: "BROKEN_JSON", message: expect.stringContaining(message) as string, column },
    ]);
  });

  test("two mistakes are two issues", () => {
    expect(checkManifest('{ "a": [1,], "b" 2, "c": 3 "d": 4 }').issues).toHaveLength(3);
  });

  test("duplicate keys, __proto__ and characters that the database cannot store, at any level", () => {
    const text =
      '{"name":"acme/x-y","version":"1.0.0","app":{"fields":[]},"x":{"a":1,"a":2,"__proto__":{},"n":"\\u0000","s":"\\ud800"},"version":"1.0.0"}';
    expect(codes(text).filter((issue) => !issue.startsWith("UNKNOWN"))).toEqual([
      "DUPLICATE_KEY /x/a",
      "RESERVED_KEY /x/__proto__",
      "BAD_CHARACTER /x/n",
      "BAD_CHARACTER /x/s",
      "DUPLICATE_KEY /version",
    ]);
    expect(checkManifest(text).manifest).toBeUndefined();
  });

  test("another type at the root", () => {
    for (const text of ["null", "[]", '"x"', "1"]) expect(codes(text)).toContain("WRONG_TYPE ");
  });
});

describe("rules that span members", () => {
  test("names with a special meaning in JavaScript are rejected", () => {
    for (const name of ["constructor", "prototype", "__proto__"]) {
      expect(checkManifest(withFields({ name, title: "T", type: "Text" })).manifest, name).toBeUndefined();
    }
  });

  test("values of a Select are unique", () => {
    const values = [
      { text: "A", value: "x" },
      { text: "B", value: "x" },
    ];
    expect(codes(withFields({ name: "s", title: "S", type: "Select", values }))).toEqual([
      "DUPLICATE_VALUE /app/fields/0/values/1/value",
    ]);
  });

  test.each(["/health", "/_app/x", "//evil", "/../x", "/a/..", "@host", "http://evil", "/a?b", "/a%2f", ""])(
    "the path %s is refused",
    (path) => {
      expect(codes(withCore({ autofill: [{ path, operations: ["x"] }] }))).toContain(
        path === "/health" || path === "/_app/x" || path === "/../x" || path === "/a/.."
          ? "RESERVED /core/autofill/0/path"
          : "BAD_FORMAT /core/autofill/0/path",
      );
    },
  );

  test.each(["/_apple", "/_app.json", "/healthy", "/health/x", "/x/_app"])(
    "the path %s only resembles a reserved one",
    (path) => {
      expect(codes(withCore({ autofill: [{ path, operations: ["x"] }] }))).toEqual([]);
    },
  );

  test("the root is a path of every kind of route, and of an endpoint", () => {
    const path = "/";
    for (const core of [
      { autofill: [{ path, operations: ["x"] }] },
      { webhooks: [{ path, events: ["x"] }] },
      { externalRaters: [{ path, name: "R" }] },
      { endpoints: [{ path, methods: ["GET"], access: "public", title: "Home" }] },
    ])
      expect(codes(withCore(core)), JSON.stringify(core)).toEqual([]);
    const both = {
      autofill: [{ path, operations: ["x"] }],
      endpoints: [{ path, methods: ["GET"], access: "public", title: "Home" }],
    };
    expect(codes(withCore(both))).toEqual(["PATH_COLLISION /core/endpoints/0/path"]);
  });

  test("an endpoint can't be everything, because that would cover what is reserved", () => {
    const endpoints = [{ path: "/*", methods: ["GET"], access: "public", title: "All" }];
    expect(checkManifest(withCore({ endpoints })).issues).toMatchObject([
      {
        code: "RESERVED",
        pointer: "/core/endpoints/0/path",
        message: expect.stringMatching(/would cover '\/health' and '\/_app'.*Declare '\/' and the paths/),
      },
    ]);
  });

  test("a path belongs to one route of any kind", () => {
    const core = { webhooks: [{ path: "/x", events: ["a"] }], autofill: [{ path: "/x", operations: ["a"] }] };
    expect(codes(withCore(core))).toEqual(["DUPLICATE_PATH /core/autofill/0/path"]);
  });

  test("a Text that looks like a secret, and direction marks, are warnings", () => {
    const { manifest, issues } = checkManifest(
      withFields(
        { name: "apiKey", title: "<b>K\u202Eey</b>", type: "Text" },
        { name: "token", title: "T", type: "Text", sensitive: true },
      ),
    );
    expect(manifest).toBeDefined();
    expect(issues.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      "LOOKS_SECRET warning",
      "BIDI_CONTROL warning",
    ]);
  });
});

// Guarantee: nothing is cut silently.
test("the last of 300 issues says how many more there are", () => {
  const fields = Array.from({ length: 90 }, () => ({ name: "1", title: 1, type: "x", hint: 1, required: 1 }));
  const { issues } = checkManifest(JSON.stringify({ name: "acme/x", version: "1.0.0", app: { fields } }));
  expect(issues).toHaveLength(300);
  expect(issues.filter(({ hint }) => hint?.includes("not listed") === true)).toEqual([issues.at(-1)]);
  expect(issues.at(-1)?.hint).toMatch(/[\d,]+ more problems are not listed. Fix these first.$/);
});

test("a hostile megabyte is checked quickly, with at most 300 issues", async () => {
  const fields = Array.from({ length: 60_000 }, (_, index) => ({ [`a${index}`]: 1 }));
  const spent = await cpuTime(() => expect(checkManifest(withFields(...fields)).issues).toHaveLength(300));
  expect(spent).toBeLessThan(10_000);
});
