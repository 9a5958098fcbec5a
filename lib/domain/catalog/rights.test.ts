import { expect, test } from "vitest";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { compareRights, sayHost, scopeOf, viewRights } from "./rights";

const fields = [{ name: "endpointUrl", title: "Your endpoint", type: "Text" as const }];
const asks = (core: Manifest["core"]): Manifest => ({
  name: "acme/x-y",
  version: "1.0.0",
  app: { fields },
  core,
});
const host = (name: string, ports?: number[], purpose = "P") => ({ host: name, ports, purpose });

test("a manifest without lists asks for more than one with empty lists", () => {
  expect(viewRights(asks({}))).toEqual({ permissions: null, hosts: null });
  expect(viewRights(asks({ permissions: [], hosts: [] }))).toEqual({ permissions: [], hosts: [] });
});

test("hosts are said as people read them", () => {
  const { hosts } = viewRights(
    asks({
      hosts: [
        host("a.example"),
        host("b.example", [8443, 443]),
        host("c.example", [80]),
        { setting: "endpointUrl", purpose: "P" },
      ],
    }),
  );
  expect(hosts?.map(sayHost)).toEqual([
    "a.example",
    "b.example (ports 443 and 8443)",
    "c.example (port 80)",
    "the host that you enter in “Your endpoint”",
  ]);
});

test.each<[string, Manifest["core"], Manifest["core"], boolean]>([
  ["any host, as before", {}, {}, false],
  ["a list instead of any host", {}, { hosts: [host("a.example")] }, false],
  ["any host instead of a list", { hosts: [host("a.example")] }, {}, true],
  ["one host more", { hosts: [] }, { hosts: [host("a.example")] }, true],
  ["one host less", { hosts: [host("a.example")] }, { hosts: [] }, false],
  ["one port more", { hosts: [host("a.example")] }, { hosts: [host("a.example", [443, 80])] }, true],
  ["one port less", { hosts: [host("a.example", [443, 80])] }, { hosts: [host("a.example", [443])] }, false],
  [
    "a port of its own entry",
    { hosts: [host("a.example", [443, 80])] },
    { hosts: [host("a.example", [443]), host("a.example", [80])] },
    false,
  ],
  ["a host below a *", { hosts: [host("*.b.example")] }, { hosts: [host("a.b.example")] }, false],
  ["another port below a *", { hosts: [host("*.b.example")] }, { hosts: [host("a.b.example", [80])] }, true],
  [
    "a host of another setting",
    { hosts: [{ setting: "endpointUrl", purpose: "P" }] },
    { hosts: [{ setting: "otherUrl", purpose: "P" }] },
    true,
  ],
  ["the usual port, written", { hosts: [host("a.example")] }, { hosts: [host("a.example", [443])] }, false],
  ["another purpose", { hosts: [host("a.example")] }, { hosts: [host("a.example", undefined, "Q")] }, false],
  ["a * instead of a host", { hosts: [host("a.b.example")] }, { hosts: [host("*.b.example")] }, true],
  [
    "a permission more",
    { hosts: [] },
    { hosts: [], permissions: [{ name: "claims:read", purpose: "P" }] },
    true,
  ],
  ["a permission less", { permissions: [{ name: "claims:read", purpose: "P" }] }, { permissions: [] }, false],
  ["no list of permissions after a list", { permissions: [{ name: "claims:read", purpose: "P" }] }, {}, true],
  ["no list of permissions after an empty one", { permissions: [] }, {}, true],
  ["no permissions after no list", {}, { permissions: [] }, false],
])("%s: %s", (_what, before, after, isMore) => {
  expect(compareRights(asks(before), asks(after)).isMore).toBe(isMore);
});

test("what a version no longer asks for is named", () => {
  const before = asks({
    permissions: [{ name: "claims:read", purpose: "P" }],
    hosts: [host("a.example", [80])],
  });
  expect(compareRights(before, asks({ permissions: [], hosts: [] })).removed).toEqual([
    "claims:read",
    "a.example (port 80)",
  ]);
  expect(compareRights(asks({}), asks({ permissions: [], hosts: [] })).removed).toEqual([
    "whatever your core allows apps that list no permissions",
    "the right to connect to any host on the internet",
  ]);
  expect(compareRights(asks({}), asks({})).removed).toEqual([]);
});

test("of a host with other ports, only these are more or less", () => {
  const change = compareRights(
    asks({ hosts: [host("a.example", [443, 8443])] }),
    asks({ hosts: [host("a.example", [443, 80])] }),
  );
  expect(change.added.hosts?.map(sayHost)).toEqual(["a.example (port 80)"]);
  expect(change.removed).toEqual(["a.example (port 8443)"]);
});

test("the host of a setting stays the same when the setting gets another title", () => {
  const hosts = [{ setting: "endpointUrl", purpose: "P" }];
  const renamed: Manifest = {
    ...asks({ hosts }),
    app: { fields: [{ name: "endpointUrl", title: "Your address", type: "Text" }] },
  };
  expect(compareRights(asks({ hosts }), renamed)).toMatchObject({ isMore: false, removed: [] });
});

test("the scope has the permissions in the manifest's order, and is absent without a list", () => {
  const permissions = ["policies:read", "claims:write"].map((name) => ({ name, purpose: "P" }));
  expect(scopeOf(asks({ permissions }))).toBe("policies:read claims:write");
  expect(scopeOf(asks({ permissions: [] }))).toBe("");
  expect(scopeOf(asks({}))).toBeNull();
});

// Guarantee: tokens without a scope, which cores may allow everything, never follow tokens with one unasked.
test("a version without a list of permissions is shown as what it is", () => {
  const before = asks({ permissions: [{ name: "claims:read", purpose: "P" }], hosts: [] });
  const change = compareRights(before, asks({ hosts: [] }));
  expect(change).toEqual({ added: { permissions: null, hosts: [] }, removed: [], isMore: true });
});
