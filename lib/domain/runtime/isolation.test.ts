import { expect, test } from "vitest";
import type { IsolationPlace, IsolationView } from "@/lib/contract/runtime/isolation";
import {
  closeRanges,
  closeThisMachine,
  describeIsolation,
  groupCommands,
  isAsExpected,
  shortenAddresses,
} from "./isolation";

const networks = {
  subnets: "10.213.0.0/16",
  onThisMachine: [
    { host: "172.17.0.1", port: 4001 },
    { host: "192.0.2.2", port: 7000 },
  ],
  elsewhere: [{ host: "10.1.2.3", port: 443 }],
};

test("this machine is closed apart from what apps need and from its name server", () => {
  const [tcp, udp] = closeThisMachine(networks);
  expect(tcp).toContain("-I INPUT -s 10.213.0.0/16 -p tcp -m conntrack --ctstate NEW");
  expect(tcp).toContain("! --dports 53,4001,7000 ");
  expect(udp).toContain("-p udp -m conntrack --ctstate NEW -m multiport ! --dports 53 ");
});

// Guarantee: closing a private network doesn't cut apps off from the core that they work for.
test("a rule that keeps a core open is inserted last, so that it comes first", () => {
  const commands = closeRanges(networks, ["10.0.0.0/8"]);
  expect(commands).toHaveLength(3);
  expect(commands.at(-1)).toMatch(/-t mangle -I FORWARD .* -d 10\.1\.2\.3 -p tcp --dport 443 .* -j RETURN$/);
});

const place = (name: string, more: Partial<IsolationPlace> = {}): IsolationPlace => ({
  ...{ name, expected: "closed", commands: [], tried: [{ address: "192.0.2.2:22", seen: "refused" }] },
  ...more,
});
const open = { tried: [{ address: "192.0.2.2:22", seen: "answered" as const }], commands: ["close it"] };
const state = place("the state API", { expected: "reachable", ...open, commands: [] });
const view = (places: IsolationPlace[], more: Partial<IsolationView> = {}): IsolationView => ({
  ...{ state: "checked", checkedAt: "2026-11-23T12:00:00.000Z", durationMs: 1900, problem: null, places },
  egress: null,
  ...more,
});

test("a place is as expected if something answers exactly where something should", () => {
  expect([state, place("a"), place("b", { tried: [] })].every(isAsExpected)).toBe(true);
  expect(isAsExpected(place("a", open))).toBe(false);
  expect(isAsExpected(place("the state API", { expected: "reachable" }))).toBe(false);
});

test("places that the same commands close are grouped", () => {
  const places = [place("a", open), state, place("b", open), place("c", { ...open, commands: ["other"] })];
  expect(groupCommands(places)).toEqual([
    { names: ["a", "b"], commands: ["close it"] },
    { names: ["c"], commands: ["other"] },
  ]);
});

test("the terminal says what is open and what closes it", () => {
  const describe = (...places: IsolationPlace[]) => describeIsolation(view(places), "http://localhost/page");
  expect(describe(state, place("other apps"))).toEqual([
    "Apps reach the state API, and nothing that is closed to them (2 addresses tried).",
  ]);
  expect(describe(state, place("the web pages", open), place("the gateway", open))).toEqual([
    "Apps can reach what should be closed to them (details: http://localhost/page):",
    "  the web pages: 192.0.2.2:22",
    "  the gateway: 192.0.2.2:22",
    "To close it:",
    "  close it",
  ]);
  expect(describe(place("the state API", { expected: "reachable" }))).toEqual([
    "Apps can't reach the state API at 192.0.2.2:22: refused.",
  ]);
  expect(describeIsolation(view([], { state: "failed", problem: "No engine." }), "")).toEqual([
    "What apps can reach was not checked: No engine.",
  ]);
  expect(describeIsolation(view([], { state: "checking" }), "")).toEqual([]);
  expect(describeIsolation(view([state], { egress: { way: "guard" } }), "")).toEqual([
    "Apps reach the state API, and nothing that is closed to them (1 addresses tried).",
    "The egress guard keeps apps to the hosts that they declare.",
  ]);
  const way = { way: "open", why: "The container engine is Podman. The egress guard needs Docker." } as const;
  expect(describeIsolation(view([], { state: "failed", problem: "It took long.", egress: way }), "")).toEqual(
    [
      "What apps can reach was not checked: It took long.",
      "Nothing keeps apps to the hosts that they declare. The container engine is Podman. The egress guard needs Docker.",
    ],
  );
});

test("long lists of addresses are shortened", () => {
  expect(shortenAddresses(["a", "b", "c"])).toBe("a, b, c");
  expect(shortenAddresses(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
});
