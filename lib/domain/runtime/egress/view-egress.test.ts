import { describe, expect, test } from "vitest";
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import { type EgressReader, findBlindness, type HostUse, viewEgress } from "./view-egress";

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, "0")}:00:00.000Z`;
const used = (host: string, hour = 10, bytesOut = 100): HostUse => ({
  ...{
    host,
    firstUsedAt: at(1),
    usedAt: at(hour),
    connections: 1,
    bytesOut,
    bytesIn: 7,
    refused: 0,
    reason: null,
  },
});
const refused = (host: string, count = 1): HostUse => ({
  ...{
    host,
    firstUsedAt: null,
    usedAt: null,
    connections: 0,
    bytesOut: 0,
    bytesIn: 0,
    refused: count,
    reason: "is not declared",
  },
});
const declare = (...hosts: Partial<Host>[]): Manifest => ({
  name: "acme/app",
  version: "1.0.0",
  app: { fields: [{ name: "endpointUrl", title: "Your endpoint", type: "Text" }] },
  core: { hosts: hosts.map((host) => ({ purpose: "p", ...host })) },
});
const view = (
  reader: EgressReader,
  manifest: Manifest,
  uses: HostUse[],
  rest: Partial<Parameters<typeof viewEgress>[0]> = {},
) => viewEgress({ reader, manifest, uses, blindness: null, since: "2026-11-01", cores: [], ...rest }).rows;
const names = (rows: ReturnType<typeof view>) => rows.map(({ host, words }) => host ?? words);
const ANY: Manifest = { name: "acme/app", version: "1.0.0" };

describe("for publishers", () => {
  test("used hosts come first, then declared ones, then what was only tried", () => {
    const manifest = declare({ host: "a.example" }, { host: "b.example" }, { host: "c.example" });
    const uses = [
      used("c.example", 9),
      used("b.example", 11),
      refused("x.example", 2),
      refused("y.example", 5),
    ];
    expect(names(view("publisher", manifest, uses))).toEqual([
      ...["b.example", "c.example", "a.example", "y.example", "x.example"],
    ]);
  });

  test("hosts below a name are one row with some of their names, without those that have their own", () => {
    const manifest = declare({ host: "*.maps.example" }, { host: "a.maps.example" });
    const uses = ["a", "b", "c", "d", "e"].map((name, index) => used(`${name}.maps.example`, 10 + index));
    const [below, own] = view("publisher", manifest, uses);
    expect(below).toMatchObject({
      ...{
        host: "*.maps.example",
        connections: 4,
        bytesOut: 400,
        bytesIn: 28,
        firstUsedAt: at(1),
        usedAt: at(14),
      },
      among: ["b.maps.example", "c.maps.example", "d.maps.example", "1 more"],
    });
    expect(own).toMatchObject({ host: "a.maps.example", connections: 1, among: [] });
  });

  // Guarantee: no customer is named.
  test("cores, and hosts that customers entered, are counted together", () => {
    const manifest = declare({ setting: "endpointUrl" });
    const uses = [used("core.harbor.example"), used("core.alpine.example"), used("hooks.harbor.example", 8)];
    const cores = ["https://core.harbor.example/v1", "https://core.alpine.example"];
    const valuesOf = () => ["https://private.alpine.example"];
    uses.push(refused("private.alpine.example"), refused("core.harbor.example"));
    const rows = view("publisher", manifest, uses, { cores, valuesOf });
    expect(names(rows)).toEqual(["Cores of customers", "The host entered in “Your endpoint”"]);
    expect(JSON.stringify(rows)).not.toMatch(/harbor|alpine/);
  });

  test("without a list of hosts, every host has a row", () => {
    const rows = view("publisher", ANY, [
      used("a.example"),
      refused("db.internal"),
      used("other hosts", 9),
      refused(""),
    ]);
    expect(rows.map(({ host, words, isDeclared }) => [host ?? words, isDeclared])).toEqual([
      ["a.example", true],
      ["All other hosts", true],
      ["db.internal", false],
      ["No host named", false],
    ]);
  });
});

describe("for customers", () => {
  const uses = [
    ...[
      used("a.example"),
      used("core.harbor.example", 9),
      used("core.alpine.example"),
      used("hooks.alpine.example"),
    ],
    ...[used("alpine.maps.example"), refused("x.example")],
  ];

  // Guarantee: nobody learns who else uses an app.
  test("only what is declared, and their own core and hosts, is named", () => {
    const manifest = declare({ host: "a.example" }, { host: "*.maps.example" }, { setting: "endpointUrl" });
    const own = { cores: ["https://core.harbor.example"], valuesOf: () => ["hooks.harbor.example"] };
    const rows = view("customer", manifest, uses, own);
    expect(names(rows).sort()).toEqual(["*.maps.example", "Your core", "a.example", "hooks.harbor.example"]);
    expect(rows.find(({ host }) => host === "hooks.harbor.example")?.usedAt).toBeNull();
    expect(JSON.stringify(rows)).not.toMatch(/alpine|x\.example/);
  });

  test("an app that may connect to any host shows how many it used", () => {
    const rows = view("customer", ANY, uses, { cores: ["https://core.harbor.example"] });
    expect(names(rows)).toEqual(["Any host on the internet: 4 hosts so far", "Your core"]);
    expect(names(view("customer", ANY, []))).toEqual(["Any host on the internet"]);
    expect(names(view("customer", ANY, [used("other hosts")]))).toEqual([
      "Any host on the internet: more than 1 host so far",
    ]);
  });
});

test("reviewers see what was refused first, and no page has too many rows", () => {
  const manifest = declare({ host: "a.example" });
  expect(
    names(view("reviewer", manifest, [used("a.example"), refused("x.example", 1), refused("y.example", 9)])),
  ).toEqual(["y.example", "x.example", "a.example"]);
  const many = Array.from({ length: 300 }, (_, index) => refused(`n${index}.example`, index));
  const shown = viewEgress({
    reader: "publisher",
    manifest,
    uses: many,
    blindness: null,
    since: null,
    cores: [],
  });
  expect([shown.rows.length, shown.left]).toEqual([25, 276]);
});

// Guarantee: what was counted while a guard watched is not shown as what the app does without it.
test("without a guard nothing is said to be watched, except a check that was", () => {
  const manifest = declare({ host: "a.example" });
  const see = (reader: EgressReader) =>
    viewEgress({ reader, manifest, uses: [], blindness: "open", since: "2026-11-01", cores: [] });
  expect(see("customer")).toMatchObject({ blindness: "open", since: null });
  expect(see("publisher")).toMatchObject({ blindness: "open", since: null });
  expect(see("reviewer")).toMatchObject({ blindness: null, since: "2026-11-01" });
});

test("a customer sees all optional hosts, because it decides about each", () => {
  const hosts = Array.from({ length: 60 }, (_, at) => ({ host: `h${at}.example`, optional: at >= 30 }));
  const shown = viewEgress({
    ...{ reader: "customer" as const, manifest: declare(...hosts), uses: [], blindness: null },
    ...{ since: null, cores: [] },
  });
  expect([shown.rows.length, shown.left]).toEqual([25 + 30, 5]);
});

test.each([
  ["guard", "auto", "docker", null],
  ["guard", "auto", null, null],
  [null, "auto", null, null],
  ["guard", "auto", "process", "process"],
  [null, "process", null, "process"],
  ["open", "docker", "docker", "open"],
  ["none", "auto", null, "open"],
  [null, "kubernetes", null, "cluster"],
  ["open", "kubernetes", "kubernetes", "cluster"],
  ["guard", "kubernetes", null, null],
  ["guard", "kubernetes", "kubernetes", null],
] as const)(
  "with %s, %s and the runtime %s, nothing is seen because of: %s",
  (way, set, runtime, expected) => {
    expect(findBlindness(way, set, runtime)).toBe(expected);
  },
);
