import { expect, test } from "vitest";
import { checkManifest } from "./check-manifest";
import { compareManifests } from "./compare-manifests";

const fields = [
  { name: "endpointUrl", title: "Endpoint", type: "Text" },
  { name: "token", title: "Token", type: "Password" },
  { name: "serverUrl", title: "Server", type: "Text", required: true },
];
const withCore = (core: unknown) =>
  JSON.stringify({ name: "acme/vin-lookup", version: "1.4.0", app: { fields }, core });
const issuesOf = (core: unknown) =>
  checkManifest(withCore(core)).issues.map(
    ({ code, pointer, severity }) => `${severity ?? ""} ${code} ${pointer}`,
  );
const host = (members: object) => ({ hosts: [{ purpose: "P", ...members }] });

test("permissions and hosts are kept as they are written", () => {
  const core = {
    permissions: [{ name: "policies:read", purpose: "Reads the vehicle of the policy" }],
    hosts: [
      { host: "api.vin.example", purpose: "Decodes VINs" },
      { host: "*.maps.example", ports: [443], purpose: "Map tiles", optional: true },
      { setting: "endpointUrl", purpose: "The customer's own endpoint" },
    ],
  };
  const { manifest, issues } = checkManifest(withCore(core));
  expect(issues).toEqual([]);
  expect(manifest?.core).toEqual(core);
});

test("no list and an empty list are both valid, and differ", () => {
  expect(checkManifest(withCore({})).manifest?.core?.hosts).toBeUndefined();
  expect(checkManifest(withCore({ hosts: [] })).manifest?.core?.hosts).toEqual([]);
});

test.each([
  [host({}), "error MISSING /core/hosts/0/host"],
  [host({ host: "a.example", setting: "endpointUrl" }), "error BAD_HOST /core/hosts/0/host"],
  [host({ setting: "endpointUrl", ports: [443] }), "error BAD_HOST /core/hosts/0/ports"],
  [host({ setting: "endpointURL" }), "error UNKNOWN_SETTING /core/hosts/0/setting"],
  [host({ setting: "token" }), "error UNKNOWN_SETTING /core/hosts/0/setting"],
  [host({ host: "a.example", ports: [80, 80] }), "error DUPLICATE_VALUE /core/hosts/0/ports/1"],
  [host({ host: "a.example", ports: [53] }), "error BAD_HOST /core/hosts/0/ports/0"],
  [host({ host: "a.example", ports: [443, 61_001] }), "error BAD_HOST /core/hosts/0/ports/1"],
  [host({ host: "a.example", ports: [61_002] }), "error BAD_HOST /core/hosts/0/ports/0"],
  [host({ host: "a.example", ports: [61_003] }), "error BAD_HOST /core/hosts/0/ports/0"],
  [host({ host: "10.0.0.1" }), "error BAD_HOST /core/hosts/0/host"],
  [host({ host: "a.example", purpose: "\u200b" }), "error TOO_SHORT /core/hosts/0/purpose"],
  [{ hosts: [], permissions: [{ name: "policies:read" }] }, "error MISSING /core/permissions/0/purpose"],
  [
    { hosts: [], permissions: [{ name: "policy:read", purpose: "P" }] },
    "warning UNKNOWN_PERMISSION /core/permissions/0/name",
  ],
  [{}, "warning UNDECLARED_HOSTS /core/hosts"],
  [host({ setting: "serverUrl", optional: true }), "warning REQUIRED_HOST /core/hosts/0/optional"],
  [
    { hosts: Array(2).fill({ setting: "endpointUrl", purpose: "P" }) },
    "error DUPLICATE_HOST /core/hosts/1/setting",
  ],
  [
    { hosts: ["*.a.example", "b.a.example"].map((name) => ({ host: name, purpose: "P" })) },
    "warning DUPLICATE_HOST /core/hosts/1/host",
  ],
  [
    { hosts: ["a.example", "a.example"].map((name) => ({ host: name, purpose: "P" })) },
    "error DUPLICATE_HOST /core/hosts/1/host",
  ],
])("%j: %s", (core, issue) => {
  expect(issuesOf(core)).toEqual([issue]);
});

test("a mistyped setting and a mistyped permission are recognized", () => {
  const { issues } = checkManifest(
    withCore({ ...host({ setting: "endpointURL" }), permissions: [{ name: "policys:read", purpose: "P" }] }),
  );
  expect(issues.map(({ hint }) => hint)).toEqual([
    'Did you mean "endpointUrl"?',
    'Did you mean "policies:read"? If your customers\' cores have it, ignore this warning.',
  ]);
});

test("a permission that the platform's operator added needs no warning, and is suggested for a mistyped one", () => {
  const text = (name: string) => withCore({ hosts: [], permissions: [{ name, purpose: "P" }] });
  const known = ["policies:read", "ledger:read"];
  expect(checkManifest(text("ledger:read"), known).issues).toEqual([]);
  expect(checkManifest(text("ledger:read")).issues).toMatchObject([{ code: "UNKNOWN_PERMISSION" }]);
  expect(checkManifest(text("leger:read"), known).issues[0]?.hint).toContain('Did you mean "ledger:read"?');
});

test.each<[object, string]>([
  [{ permissions: [{ name: "read all", purpose: "P" }] }, 'Use a value such as "policies:read".'],
  [host({ host: "a.example", ports: [0] }), "Use 1 or more."],
  [host({ host: "a.example", ports: [70_000] }), "Use 65535 or less."],
])("%j: %s", (core, hint) => {
  expect(checkManifest(withCore(core)).issues.map((issue) => issue.hint)).toContain(hint);
});

test("a change of rights needs no new image, because the platform enforces them", () => {
  const read = (core: unknown) => {
    const { manifest } = checkManifest(withCore(core));
    if (manifest === undefined) throw new Error("it is valid");
    return manifest;
  };
  const changes = compareManifests(
    read({ hosts: [{ host: "a.example", purpose: "P" }] }),
    read({
      hosts: [
        { host: "a.example", purpose: "Q" },
        { setting: "endpointUrl", purpose: "P" },
      ],
      permissions: [{ name: "claims:read", purpose: "P" }],
    }),
  );
  expect(changes.map(({ kind, change, name, needsImage }) => [kind, change, name, needsImage])).toEqual([
    ["permission", "added", "claims:read", false],
    ["host", "changed", "a.example", false],
    ["host", "added", "endpointUrl", false],
  ]);
});
