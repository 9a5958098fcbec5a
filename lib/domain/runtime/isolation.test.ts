import { expect, test } from "vitest";
import type { Enforcement } from "@/lib/contract/catalog/rights";
import type { IsolationPlace, IsolationView } from "@/lib/contract/runtime/isolation";
import {
  closeRanges,
  closeThisMachine,
  describeIsolation,
  explainNoNames,
  explainNoWayOut,
  findEngineConfig,
  groupCommands,
  isAsExpected,
  isMoving,
  leavesFirewallAlone,
  openNetworks,
  replaceEngineRules,
  shortenAddresses,
} from "./isolation";

// Guarantee: a page doesn't warn of what ends within seconds, and does warn of a process that stays one.
test("an example app moves to a container for a minute at most, and only where an engine is", () => {
  const now = Date.now();
  const ago = (ms: number) => new Date(now - ms);
  const moves = (enforcement: Enforcement, since: Date | null, move = true) =>
    isMoving({ move, enforcement }, since, now);
  expect([moves("guard", null), moves("guard", ago(500)), moves("open", ago(59_000))]).toEqual(
    Array(3).fill(true),
  );
  expect([moves("guard", ago(61_000)), moves("none", ago(500)), moves("none", null)]).toEqual(
    Array(3).fill(false),
  );
  expect([moves("guard", null, false), moves(null, null, false)]).toEqual([false, false]);
  expect([moves(null, null), moves(null, ago(500))]).toEqual([undefined, undefined]);
});

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
    { names: ["a", "b"], commands: ["close it"], expected: "closed" },
    { names: ["c"], commands: ["other"], expected: "closed" },
  ]);
});

test("the terminal says what is open and what closes it", () => {
  const describe = (...places: IsolationPlace[]) => describeIsolation(view(places), "http://localhost/page");
  expect(describe(state, place("other apps"))).toEqual([
    "Apps can reach the state API, and nothing that should be closed to them (2 addresses tried).",
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
    "Apps can reach the state API, and nothing that should be closed to them (1 addresses tried).",
    "The egress guard limits apps to the hosts that they declare.",
  ]);
  const way = { way: "open", why: "The container engine is Podman. The egress guard needs Docker." } as const;
  expect(describeIsolation(view([], { state: "failed", problem: "It took long.", egress: way }), "")).toEqual(
    [
      "What apps can reach was not checked: It took long.",
      "Nothing limits apps to the hosts that they declare. The container engine is Podman. The egress guard needs Docker.",
    ],
  );
});

test.each([
  [["dockerd"], "", false],
  [["dockerd", "--iptables=false"], "", true],
  [["dockerd", "-H", "fd://", "--iptables=0"], "", true],
  [["dockerd", "--iptables=true"], "", false],
  [["dockerd", "--ip6tables=false"], "", false],
  [["dockerd"], '{ "iptables": false }', true],
  [["dockerd"], '{ "iptables": true, "ip6tables": false }', false],
  [["dockerd"], "not JSON", false],
  [["dockerd"], "null", false],
])("an engine with %j and the settings %s leaves the firewall alone: %s", (args, config, expected) => {
  expect(leavesFirewallAlone(args, config)).toBe(expected);
});

test("an engine's settings are where its command says", () => {
  expect(findEngineConfig(["dockerd", "--iptables"])).toBe("/etc/docker/daemon.json");
  expect(findEngineConfig(["dockerd", "--config-file=/snap/docker.json"])).toBe("/snap/docker.json");
  expect(findEngineConfig(["dockerd", "--config-file", "/snap/docker.json"])).toBe("/snap/docker.json");
  expect(findEngineConfig(["dockerd", "--config-file"])).toBe("/etc/docker/daemon.json");
});

test("the terminal says why containers get no answers from outside, and which rules are missing", () => {
  const servers = place("name servers outside", {
    expected: "reachable",
    tried: [{ address: "192.0.2.53:53", seen: "timed out" }],
    commands: replaceEngineRules(networks),
    fix: explainNoWayOut(true),
  });
  const [first = "", ...commands] = describeIsolation(view([state, servers]), "http://localhost/page");
  expect(first).toMatch(
    /^Apps can't reach name servers outside at 192\.0\.2\.53:53: timed out\. Docker writes no firewall rules .* restart Docker, or run the commands\.$/,
  );
  expect(commands).toEqual(replaceEngineRules(networks).map((command) => `  ${command}`));
  // It isn't claimed of an engine of which nothing is known.
  expect(explainNoWayOut(undefined)).toMatch(/^This machine reaches them, and containers don't/);
});

// Guarantee: an engine whose apps can't look up any name behind the guard is noticed, and the operator learns which version helps.
test("the terminal says why apps find none of their hosts", () => {
  const names = place("the name server of the egress guard", {
    expected: "reachable",
    tried: [{ address: "state.platform.internal:53", seen: "unreachable" }],
    fix: explainNoNames(),
  });
  expect(describeIsolation(view([state, names]), "http://localhost/page").join()).toMatch(
    /^Apps can't reach the name server of the egress guard at state\.platform\.internal:53: unreachable\. So apps find none of their hosts\. .*Update Docker/,
  );
});

// Guarantee: rules that open something never open apps to each other or to others.
test("rules in place of the engine's let apps out, let answers in, and nothing else", () => {
  const [translate, out, back, closed] = replaceEngineRules(networks);
  for (const rule of [translate, out]) expect(rule).toContain("-s 10.213.0.0/16 ! -d 10.213.0.0/16");
  expect(back).toMatch(/! -s 10\.213\.0\.0\/16 -d 10\.213\.0\.0\/16 .*RELATED,ESTABLISHED .*ACCEPT$/);
  expect(closed).toMatch(/-t mangle -I FORWARD ! -s 10\.213\.0\.0\/16 -d 10\.213\.0\.0\/16 .*NEW .*DROP$/);
  expect(openNetworks(networks).join()).toContain("--physdev-is-bridged");
});

test("long lists of addresses are shortened", () => {
  expect(shortenAddresses(["a", "b", "c"])).toBe("a, b, c");
  expect(shortenAddresses(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
});
