import { describe, expect, test } from "vitest";
import type { Host } from "@/lib/contract/catalog/manifest";
import { proposeFewerHosts, type SeenHost, usesAllItDeclares } from "./fewer-hosts";

const OTHER = "other hosts";
const AT = "2026-11-20T10:00:00.000Z";
const declare = (...hosts: (string | Partial<Host>)[]): Host[] =>
  hosts.map((host) => ({ purpose: "p", ...(typeof host === "string" ? { host } : host) }));
const used = (...hosts: string[]): SeenHost[] => hosts.map((host) => ({ host, usedAt: AT }));
const tried = (...hosts: string[]): SeenHost[] => hosts.map((host) => ({ host, usedAt: null }));
const days = (count: number, month = "10") =>
  Array.from({ length: count }, (_, index) => `2026-${month}-${String(index + 1).padStart(2, "0")}`);
const propose = (
  hosts: Host[] | undefined,
  seen: SeenHost[],
  watched = [{ hosts, days: days(14) }] as Parameters<typeof proposeFewerHosts>[2],
) => proposeFewerHosts(hosts, seen, watched, OTHER);

describe("a smaller list of hosts", () => {
  test("leaves out what was not used, and says how many were", () => {
    const hosts = declare("api.vin.example", "*.maps.example", "old.example", "*.cdn.example");
    expect(propose(hosts, used("api.vin.example", "a.b.maps.example", "undeclared.example"))).toEqual({
      declared: 4,
      used: 2,
      unused: ["old.example", "*.cdn.example"],
    });
    expect(propose(hosts, [])?.unused).toHaveLength(4);
  });

  // Guarantee: what is proposed breaks no app.
  test.each<[string, Host[] | undefined, SeenHost[]]>([
    ["any host is allowed", undefined, used("a.example")],
    ["no host is declared", [], []],
    ["every host is used", declare("a.example"), used("a.example")],
    ["the attempts failed", declare("a.example"), tried("a.example")],
    ["entries overlap", declare("a.maps.example", "*.maps.example"), used("a.maps.example")],
    ["it is optional", declare({ host: "a.example", optional: true }), []],
    ["customers enter it", declare({ setting: "endpointUrl" }), []],
    ["hosts were counted together", declare("a.example"), used(OTHER)],
  ])("proposes nothing if %s", (_what, hosts, seen) => {
    expect(propose(hosts, seen)).toBeUndefined();
  });

  test("counts only days on which a version with the host was watched, each once", () => {
    const [old, fresh] = [declare("a.example"), declare("a.example", "b.example")];
    const watch = (...versions: [Host[], string[]][]) =>
      propose(
        fresh,
        used("a.example"),
        versions.map(([hosts, on]) => ({ hosts, days: on })),
      );
    expect(watch([old, days(30)], [fresh, days(13)])).toBeUndefined();
    expect(watch([fresh, days(10)], [fresh, days(13)])).toBeUndefined();
    expect(watch([fresh, days(10)], [fresh, days(4, "11")])?.unused).toEqual(["b.example"]);
  });
});

describe("an app that asks for nothing more than it uses", () => {
  const watched = (...on: string[]) => [{ hosts: undefined, days: on }];
  const check = (hosts: Host[] | undefined, seen: SeenHost[], ...on: string[]) =>
    usesAllItDeclares(hosts, seen, watched(...on), "2026-11-28");

  test("used every host that it declares", () => {
    const hosts = declare("a.example", "*.maps.example", { setting: "endpointUrl" });
    expect(check(hosts, used("a.example", "x.maps.example"), "2026-11-27")).toBe(true);
    expect(check([], [], "2026-11-27", "2026-11-28")).toBe(true);
  });

  test.each<[string, Host[] | undefined, SeenHost[], string[]]>([
    ["may connect to any host", undefined, used("a.example"), ["2026-11-01"]],
    ["was never watched", [], [], []],
    ["was watched only today", [], [], ["2026-11-28"]],
    ["left one unused", declare("a.example", "b.example"), used("a.example"), ["2026-11-01"]],
    ["left an optional one unused", declare({ host: "a.example", optional: true }), [], ["2026-11-01"]],
    ["only tried one", declare("a.example"), tried("a.example"), ["2026-11-01"]],
  ])("is not one that %s", (_what, hosts, seen, on) => {
    expect(check(hosts, seen, ...on)).toBe(false);
  });
});
