import fc from "fast-check";
import { expect, test } from "vitest";
import type { HostRule } from "@/lib/contract/runtime/egress";
import { coversHost } from "../../catalog/manifest/hosts";
import { allowHosts, createFinder, listPorts, normalizeName } from "./allowed-hosts";
import { Budget } from "./egress-limits";

const NONE = { cores: [], valuesOf: () => [] };

test("declared hosts are allowed on their ports: TLS, and HTTP on port 80", () => {
  const allowed = allowHosts(
    [
      { host: "api.example.com", purpose: "p" },
      { host: "*.maps.example", ports: [80, 8443], purpose: "p" },
    ],
    NONE,
  );
  const { find, knows } = createFinder(allowed);
  // Also where nothing is allowed, so that it is refused with a reason and counted.
  expect(listPorts(allowed)).toEqual([80, 443, 8080, 8443]);
  // A customer's core may have any port, and the guard needs some itself.
  const cores = ["53", "61001", "9000"].map((port) => ({
    url: `http://core.example:${port}`,
    mayBePrivate: false,
  }));
  expect(listPorts(allowHosts([], { ...NONE, cores }))).toEqual([80, 443, 8080, 8443, 9000]);
  expect(find("api.example.com", 443, true)?.host).toBe("api.example.com");
  expect(find("api.example.com", 443, false)).toBeUndefined();
  expect(find("api.example.com", 8443, true)).toBeUndefined();
  expect(find("sub.api.example.com", 443, true)).toBeUndefined();
  expect(find("a.b.maps.example", 8443, true)?.host).toBe("*.maps.example");
  expect(find("maps.example", 8443, true)).toBeUndefined();
  expect(find("a.maps.example", 80, false)?.host).toBe("*.maps.example");
  expect(find("a.maps.example", 80, true)).toBeUndefined();
  expect(["api.example.com", "x.maps.example", "evil.example"].map(knows)).toEqual([true, true, false]);
});

test("without hosts, an app reaches any public name on the web's ports; with an empty list, none", () => {
  const any = createFinder(allowHosts(undefined, NONE));
  expect(any.find("anything.example", 443, true)).toMatchObject({ isCore: false });
  expect(any.find("anything.example", 80, false)).toMatchObject({ isCore: false });
  expect(any.find("anything.example", 8443, true)).toBeUndefined();
  for (const name of ["localhost", "db", "metadata.google.internal", "printer.local", "*.example"])
    expect([any.find(name, 443, true), any.knows(name)]).toEqual([undefined, false]);
  expect(createFinder(allowHosts([], NONE)).knows("anything.example")).toBe(false);
});

test("cores are always allowed, also in private networks, and only they", () => {
  const cores = ["http://core.internal:4010/api", "https://core.example"].map((url) => ({
    url,
    mayBePrivate: true,
  }));
  const { find } = createFinder(allowHosts([{ host: "core.example", purpose: "p" }], { ...NONE, cores }));
  expect(find("core.internal", 4010, false)).toMatchObject({ isCore: true });
  expect(find("core.internal", 4010, true)).toBeUndefined();
  expect(find("core.example", 443, true)).toMatchObject({ isCore: true });
});

test("a core whose URL has an address has a name that leads exactly there", () => {
  const core = (url: string, mayBePrivate = true) => ({ url, mayBePrivate });
  const { rules } = allowHosts([], {
    ...NONE,
    cores: [
      core("http://172.17.0.1:4010/tenants/one"),
      core("http://172.17.0.1:4010/tenants/two"),
      core("https://172-17-0-1.core.internal:4010"),
      core("http://tls-172-17-0-1.core.internal:4010"),
    ],
  });
  const place = { host: "172-17-0-1.core.internal", port: 4010, tls: false };
  expect(rules).toEqual([{ ...place, isCore: true, mayBePrivate: true, address: "172.17.0.1" }]);
  const { find } = createFinder({ anyHost: false, rules });
  expect(find("172-17-0-1.core.internal", 4011, false)).toBeUndefined();
  expect(find("172-17-0-2.core.internal", 4010, false)).toBeUndefined();
  // With HTTPS, it has a name of its own: one customer's core never takes the encryption from another's.
  const secured = allowHosts([], {
    ...NONE,
    cores: [core("https://10.1.2.3:8443"), core("http://10.1.2.3:8443")],
  });
  const found = ["tls-10-1-2-3", "10-1-2-3"].map((label) =>
    createFinder(secured).find(`${label}.core.internal`, 8443, false),
  );
  expect(found.map((each) => each?.isSecured)).toEqual([true, undefined]);
  expect(found.map((each) => each?.address)).toEqual(["10.1.2.3", "10.1.2.3"]);
  expect(createFinder(secured).find("tls-10-1-2-3.core.internal", 8443, true)).toBeUndefined();
  // One customer's core never makes another's less than it is.
  const both = allowHosts([], { ...NONE, cores: [core("http://10.0.0.1"), core("http://10.0.0.1", false)] });
  expect(createFinder(both).find("10-0-0-1.core.internal", 80, false)?.mayBePrivate).toBe(true);
});

test("a setting's host is allowed as the customer entered it, unless it is private or no address", () => {
  const values = [
    "https://one.example/hook",
    "two.example:8443",
    "http://three.example",
    "ftp://four.example",
  ];
  const hostile = [
    "http://169.254.169.254",
    "https://localhost",
    "https://[::1]",
    "",
    "https://",
    "*.example",
    "https://*.example.com",
  ];
  const allowed = allowHosts([{ setting: "url", purpose: "p" }], {
    cores: [],
    valuesOf: (setting) => (setting === "url" ? [...values, ...hostile] : []),
  });
  expect(allowed.rules).toEqual([
    { host: "one.example", port: 443, tls: true, isCore: false, mayBePrivate: false },
    { host: "two.example", port: 8443, tls: true, isCore: false, mayBePrivate: false },
    { host: "three.example", port: 80, tls: false, isCore: false, mayBePrivate: false },
  ]);
});

const label = fc.constantFrom("a", "b", "api", "x1");
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const rule: fc.Arbitrary<HostRule> = fc.record({
  host: fc.oneof(
    name,
    name.map((text) => `*.${text}`),
  ),
  port: fc.constantFrom(443, 8443),
  tls: fc.boolean(),
  isCore: fc.boolean(),
  mayBePrivate: fc.boolean(),
});

test("a look-up finds exactly what the rules cover", () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), name, fc.boolean(), (rules, asked, tls) => {
      const finder = createFinder({ anyHost: false, rules });
      const covering = rules.filter(({ host }) => coversHost(host, asked));
      const fitting = covering.filter((each) => each.port === 443 && each.tls === tls);
      expect(finder.find(asked, 443, tls) !== undefined).toBe(fitting.length > 0);
      expect(finder.knows(asked)).toBe(covering.length > 0);
    }),
  );
});

test("a thousand hosts are looked up in no time", () => {
  const hosts = Array.from({ length: 1_000 }, (_, index) => ({ host: `h${index}.example`, purpose: "p" }));
  const { find } = createFinder(allowHosts(hosts, NONE));
  expect(find("h999.example", 443, true)?.host).toBe("h999.example");
  expect(find("h1000.example", 443, true)).toBeUndefined();
});

test("names are compared without case, and nothing that could be an address is a name", () => {
  expect(normalizeName("API.Example.com.")).toBe("api.example.com");
  expect(normalizeName("xn--bcher-kva.example")).toBe("xn--bcher-kva.example");
  const refused = [
    "",
    ".",
    "a..b",
    "1.2.3.4",
    "2130706433",
    "0x7f.1",
    "a.example.1",
    "-a.example",
    "*.example",
  ];
  const more = [
    "bücher.example",
    "a b.example",
    `${"a".repeat(64)}.example`,
    "a.".repeat(128),
    "\u212a.example",
  ];
  for (const each of [...refused, ...more]) expect(normalizeName(each), each).toBeUndefined();
});

test("a budget fills up to its limit, and a clock that goes back fills nothing", () => {
  const budget = new Budget(10, 20, 1_000);
  expect(budget.take(20, 1_000)).toBe(true);
  expect(budget.take(1, 1_000)).toBe(false);
  expect(budget.take(1, 500)).toBe(false);
  expect(budget.take(1, 700)).toBe(true);
  expect(budget.spend(5, 700)).toBe(400);
  expect(budget.take(20, 100_000)).toBe(true);
});
