/** Manifests that are broken or meant to break something. */
export const VALID_MANIFEST = JSON.stringify(
  { name: `acme/hostile-app`, version: "1.0.0", app: { fields: [] } },
  null,
  2,
);
const withFields = (...fields: unknown[]) =>
  JSON.stringify({ name: `acme/hostile-app`, version: "1.0.0", app: { fields } }, null, 1);

/** What a user may load into the manifest editor, and the number of problems that it shows. */
export const HOSTILE_MANIFESTS: { what: string; text: string; says: RegExp }[] = [
  { what: "nothing", text: "", says: /\d error/ },
  { what: "ten thousand levels", text: '{"a":'.repeat(10_000), says: /1 error/ },
  { what: "a byte order mark", text: `\uFEFF${VALID_MANIFEST}`, says: /1 error/ },
  {
    what: "duplicate keys",
    text: VALID_MANIFEST.replace('"version"', '"name": "x",\n  "version"'),
    says: /\d error/,
  },
  {
    what: "__proto__",
    text: VALID_MANIFEST.replace("{", '{ "__proto__": { "polluted": true },'),
    says: /\d error/,
  },
  { what: "an escaped NUL", text: withFields({ name: "a", title: "\0", type: "Text" }), says: /\d error/ },
  {
    what: "half a surrogate pair",
    text: withFields({ name: "a", title: "\uD800", type: "Text" }),
    says: /\d error/,
  },
  { what: "lists that are none", text: VALID_MANIFEST.replace("[]", '{ "0": null }'), says: /\d error/ },
  { what: "entries that are none", text: withFields(null, 7, [], "x", { values: {} }), says: /\d error/ },
  { what: "a foreign name", text: VALID_MANIFEST.replace("acme/", "evil/"), says: /1 error/ },
  { what: "version 10³⁰", text: VALID_MANIFEST.replace("1.0.0", `1${"0".repeat(30)}.0.0`), says: /1 error/ },
  {
    what: "HTML and bidirectional marks",
    text: withFields({ name: "a", title: "<img src=x onerror=alert(1)>\u202E<script>", type: "Text" }),
    says: /1 warning/,
  },
];
