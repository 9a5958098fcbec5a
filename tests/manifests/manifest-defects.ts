/** Ways to break a valid manifest, each alone. */

/** A manifest that any defect can be put into: something of everything. */
export const SOUND_MANIFEST = {
  $schema: "https://example.com/schemas/platform-app.json",
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: {
    fields: [
      { name: "region", title: "Region", type: "Select", values: [{ text: "Europe", value: "eu" }] },
      { name: "label", title: "Label", type: "Text", hint: "H", required: true, sensitive: false },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN", hint: "H", required: true, format: "jsonpath" }],
    webhooks: [{ path: "/events", events: ["policy.issued"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    endpoints: [{ path: "/callbacks/*", methods: ["GET", "POST"], access: "public", title: "Callbacks" }],
    lifecycle: ["install"],
    permissions: [{ name: "policies:read", purpose: "Reads the policy" }],
    hosts: [
      { host: "api.vin.example", ports: [443, 8443], purpose: "Decodes VINs", optional: true },
      { setting: "label", purpose: "The customer's own" },
    ],
  },
};

type Place = readonly (string | number)[];

/** Writes `value` at `place`; `undefined` removes. */
export function withDefect(place: Place, value: unknown): unknown {
  return put(SOUND_MANIFEST, place, value);
}

const region = ["app", "fields", 0];
const label = ["app", "fields", 1];
const vin = ["core", "fields", 0];
const webhook = ["core", "webhooks", 0];
const autofill = ["core", "autofill", 0];
const rater = ["core", "externalRaters", 0];
const endpoint = ["core", "endpoints", 0];
const permission = ["core", "permissions", 0];
const host = ["core", "hosts", 0];
const ownHost = ["core", "hosts", 1];

const long = "x".repeat(1001);
const many = (count: number, item: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => item(index));

const required: Place[] = [
  ["name"],
  ["version"],
  [...region, "name"],
  [...region, "title"],
  [...region, "type"],
  [...region, "values"],
  [...region, "values", 0, "text"],
  [...region, "values", 0, "value"],
  [...vin, "name"],
  [...vin, "title"],
  [...webhook, "path"],
  [...webhook, "events"],
  [...autofill, "path"],
  [...autofill, "operations"],
  [...rater, "name"],
  [...rater, "path"],
  [...endpoint, "path"],
  [...endpoint, "methods"],
  [...endpoint, "access"],
  [...endpoint, "title"],
  [...permission, "name"],
  [...permission, "purpose"],
  [...host, "host"],
  [...host, "purpose"],
  [...ownHost, "setting"],
];

const typed: Place[] = [
  [],
  ["$schema"],
  ["app"],
  ["app", "fields"],
  ["core"],
  ...required,
  region,
  [...region, "values", 0],
  [...label, "hint"],
  [...label, "required"],
  [...label, "sensitive"],
  vin,
  [...vin, "hint"],
  [...vin, "required"],
  [...vin, "format"],
  ["core", "fields"],
  ["core", "webhooks"],
  webhook,
  [...webhook, "events", 0],
  ["core", "autofill"],
  autofill,
  ["core", "externalRaters"],
  rater,
  ["core", "endpoints"],
  endpoint,
  [...endpoint, "methods", 0],
  ["core", "lifecycle"],
  ["core", "lifecycle", 0],
  ["core", "permissions"],
  permission,
  ["core", "hosts"],
  host,
  [...host, "ports"],
  [...host, "optional"],
];

const badHosts = [
  "",
  "*",
  "*.com",
  "**.example.com",
  "a.*.example.com",
  "https://api.example.com",
  "api.example.com/v1",
  "api.example.com:8443",
  "user@api.example.com",
  "API.example.com",
  "api.example.com.",
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "2130706433",
  "[::1]",
  "::ffff:10.0.0.1",
  "bücher.example",
  "localhost",
  "a..example.com",
  `${"x".repeat(64)}.example.com`,
  " api.example.com",
  "-a.example.com",
];

const badNames = ["", "1a", "a b", "ä", "x".repeat(65), "__proto__", "constructor", "prototype"];
const badPaths = [
  "",
  "x",
  "//evil",
  "/a/../b",
  "/..",
  "/.",
  "/a/",
  "/a?b",
  "@host",
  "/health",
  "/_app",
  "/_app/x",
];
const badPatterns = ["", ".", "a..b", "a b", "x".repeat(101)];
const blanks = [
  "",
  " ",
  "\n\t",
  "\u00a0\u2003",
  "\u200b\u200d",
  "\ufeff \u2060",
  "\u3164",
  "\u{e0020}\ufe0f",
];

/** Found by the validator and by the JSON Schema. */
export const DEFECTS: readonly (readonly [what: string, place: Place, value: unknown])[] = [
  ...required.map((place) => [`without ${place.join(".")}`, place, undefined] as const),
  ...typed.map((place) => [`null at ${place.join(".")}`, place, null] as const),
  ...typed.map((place) => [`a number at ${place.join(".")}`, place, 7] as const),
  ...["Acme/x", "acme", "acme/x/y", "a/vin", "acme/-x", "acme/x--y", `acme/${"x".repeat(41)}`].map(
    (name) => [`the app name ${name}`, ["name"], name] as const,
  ),
  ...["1.2", "01.2.3", `1${"0".repeat(30)}.0.0`, "1.0.0-rc", "v1.0.0", "1000000000000000.0.0", " 1.0.0"].map(
    (version) => [`the version ${version}`, ["version"], version] as const,
  ),
  ...[region, vin].flatMap((place) =>
    badNames.map((name) => [`the name "${name}" at ${place.join(".")}`, [...place, "name"], name] as const),
  ),
  ...[
    [...label, "title"],
    [...vin, "title"],
    [...rater, "name"],
    [...endpoint, "title"],
    [...permission, "purpose"],
    [...host, "purpose"],
  ].flatMap((place) =>
    [...blanks, long].map((title) => [`the title "${title}" at ${place.join(".")}`, place, title] as const),
  ),
  ...["/*", "/a/*/b", "/a*", "/*a", "/a/**", "/_app/*"].map(
    (path) => [`the endpoint "${path}"`, [...endpoint, "path"], path] as const,
  ),
  ...["/events/*"].map((path) => [`the webhook "${path}"`, [...webhook, "path"], path] as const),
  ["no methods of an endpoint", [...endpoint, "methods"], []],
  ["an unknown method", [...endpoint, "methods", 0], "TRACE"],
  ["a method in lower case", [...endpoint, "methods", 0], "get"],
  ["HEAD, which GET includes", [...endpoint, "methods", 0], "HEAD"],
  ["six methods", [...endpoint, "methods"], ["GET", "POST", "PUT", "PATCH", "DELETE", "GET"]],
  ["unknown access", [...endpoint, "access"], "private"],
  ...[webhook, autofill, rater, endpoint].flatMap((place) =>
    badPaths.map((path) => [`the path "${path}" at ${place.join(".")}`, [...place, "path"], path] as const),
  ),
  ...[
    [...webhook, "events"],
    [...autofill, "operations"],
  ].flatMap((place) => [
    ...badPatterns.map((pattern) => [`"${pattern}" in ${place.join(".")}`, [...place, 0], pattern] as const),
    [`none in ${place.join(".")}`, place, []] as const,
    [`too many in ${place.join(".")}`, place, many(101, (index) => `e${index}`)] as const,
  ]),
  ["an unknown type", [...label, "type"], "Number"],
  ["an unknown mapping format", [...vin, "format"], "xpath"],
  ["a type in lower case", [...label, "type"], "text"],
  ["values of a Text", [...label, "values"], [{ text: "A", value: "a" }]],
  ["a Select with no values", [...region, "values"], []],
  ["a Text made a Select", [...label, "type"], "Select"],
  ["a Select made a Password", [...region, "type"], "Password"],
  ["a value without text", [...region, "values", 0, "text"], ""],
  ["a value with a long text", [...region, "values", 0, "text"], long],
  ["a long value", [...region, "values", 0, "value"], long],
  ["a long hint", [...label, "hint"], long],
  ["a hint of 1001 pairs of surrogates", [...label, "hint"], "😀".repeat(1001)],
  ["201 values", [...region, "values"], many(201, (index) => ({ text: "T", value: `v${index}` }))],
  [
    "101 settings",
    ["app", "fields"],
    many(101, (index) => ({ name: `s${index}`, title: "S", type: "Text" })),
  ],
  ["101 mapping fields", ["core", "fields"], many(101, (index) => ({ name: `m${index}`, title: "M" }))],
  ["51 webhooks", ["core", "webhooks"], many(51, (index) => ({ path: `/w${index}`, events: ["a"] }))],
  ["51 raters", ["core", "externalRaters"], many(51, (index) => ({ path: `/r${index}`, name: `R${index}` }))],
  ...badHosts.map((name) => [`the host "${name}"`, [...host, "host"], name] as const),
  ...["policies", "policies:", ":read", "Policies:read", "policies read", "policies:read write"].map(
    (name) => [`the permission "${name}"`, [...permission, "name"], name] as const,
  ),
  ["a host and a setting", [...host, "setting"], "label"],
  ["ports of a setting's host", [...ownHost, "ports"], [443]],
  ["no ports", [...host, "ports"], []],
  ...[0, 65_536, 1.5, "443"].map(
    (port) => [`the port ${String(port)}`, [...host, "ports", 0], port] as const,
  ),
  ["101 hosts", ["core", "hosts"], many(101, (index) => ({ host: `h${index}.example.com`, purpose: "P" }))],
  [
    "101 permissions",
    ["core", "permissions"],
    many(101, (index) => ({ name: `p${index}:read`, purpose: "P" })),
  ],
  ["an unknown lifecycle event", ["core", "lifecycle"], ["reboot"]],
  ["21 lifecycle events", ["core", "lifecycle"], many(21, () => "start")],
];

const text = (place: Place, value: unknown) => JSON.stringify(withDefect(place, value));

/** Found by the validator alone: what JSON Schema cannot say, and why. */
export const DEFECTS_OF_TEXT: readonly (readonly [what: string, text: string, why: string])[] = [
  ["a setting's name twice", text([...label, "name"], "region"), "a schema cannot compare members of items"],
  [
    "a mapping's name twice",
    text(
      ["core", "fields"],
      [
        { name: "a", title: "A" },
        { name: "a", title: "B" },
      ],
    ),
    "as above",
  ],
  [
    "a rater's name twice",
    text(
      ["core", "externalRaters"],
      [
        { name: "A", path: "/a" },
        { name: "A", path: "/b" },
      ],
    ),
    "as above",
  ],
  ...["policy.corp", "db.internal", "printer.local", "x.home.arpa"].map(
    (name) => [`the private host ${name}`, text([...host, "host"], name), "a list of names"] as const,
  ),
  ["a setting that isn't there", text([...ownHost, "setting"], "endpoint"), "it refers to another list"],
  ["a host in a Select", text([...ownHost, "setting"], "region"), "as above"],
  [
    "a host twice",
    text(
      ["core", "hosts"],
      ["A", "B"].map((purpose) => ({ host: "a.example.com", purpose })),
    ),
    "a schema cannot compare members of items",
  ],
  ["a port twice", text([...host, "ports"], [443, 443]), "as above"],
  ["a port of the platform's own", text([...host, "ports"], [61_001]), "a list of numbers"],
  [
    "a permission twice",
    text(
      ["core", "permissions"],
      ["A", "B"].map((purpose) => ({ name: "claims:read", purpose })),
    ),
    "as above",
  ],
  ["a path twice", text([...rater, "path"], "/events"), "as above"],
  ...["/events", "/rate"].map(
    (path) =>
      [`an endpoint at a route's path ${path}`, text([...endpoint, "path"], path), "as above"] as const,
  ),
  ["an endpoint that covers a route", text([...webhook, "path"], "/callbacks/policy"), "as above"],
  [
    "an endpoint's path twice",
    text(
      ["core", "endpoints"],
      ["A", "B"].map((title) => ({ path: "/a", methods: ["GET"], access: "core", title })),
    ),
    "as above",
  ],
  [
    "a method twice",
    text([...endpoint, "methods"], ["GET", "GET"]),
    "`uniqueItems` could, and would say less",
  ],
  [
    "a value twice",
    text(
      [...region, "values"],
      [
        { text: "A", value: "a" },
        { text: "B", value: "a" },
      ],
    ),
    "as above",
  ],
  [
    "a lifecycle event twice",
    text(["core", "lifecycle"], ["start", "start"]),
    "`uniqueItems` could, and would say less",
  ],
  [
    "a key twice",
    text([], undefined).replace('"name"', '"name":"acme/y-z","name"'),
    "a parsed value has lost the first one",
  ],
  [
    "the key __proto__",
    text([], undefined).replace('"name"', '"__proto__":{},"name"'),
    "a schema would need it at each level",
  ],
  ["a NUL", text([...label, "title"], "a\0b"), "a schema would need it at each string, unknown ones too"],
  ["half a surrogate pair", text([...label, "title"], "a\ud800b"), "as above"],
  [
    "33 levels",
    text(["x-deep"], JSON.parse("[".repeat(32) + "]".repeat(32))),
    "a schema has no measure of depth",
  ],
  ["more than a MiB", text(["x-large"], "x".repeat(1024 * 1024)), "a schema does not see the text"],
  ["no JSON", `${text([], undefined)},`, "a schema sees values only"],
  ["a byte order mark", `\uFEFF${text([], undefined)}`, "as above"],
];

function put(value: unknown, [part, ...rest]: Place, member: unknown): unknown {
  if (part === undefined) return member === undefined ? value : member;
  if (Array.isArray(value))
    return value.map((item, index) => (index === part ? put(item, rest, member) : item));
  const record = Object.entries(value ?? {}).filter(
    ([key]) => key !== part || rest.length > 0 || member !== undefined,
  );
  const known = record.some(([key]) => key === part);
  const changed = record.map(([key, old]) => [key, key === part ? put(old, rest, member) : old]);
  return Object.fromEntries(known || member === undefined ? changed : [...changed, [part, member]]);
}
