import { expect, test } from "vitest";
import type { Host } from "@/lib/contract/catalog/manifest";
import { explainRefusal } from "./explain-refusal";

const reason = "is not a host that the app may connect to";
const explain = (host: string, port: number, hosts?: Host[]) => explainRefusal({ host, port, reason }, hosts);
const declared: Host[] = [
  { host: "api.vin.example", purpose: "Decodes VINs" },
  { host: "*.maps.example", ports: [443, 8443], purpose: "Map tiles" },
];

test.each<[string, [string, number, Host[]?], string]>([
  [
    "a host that is not declared, by its name",
    ["pay.example", 53, declared],
    `A connection to pay.example was refused: it ${reason}. To allow it, add this to core.hosts of the manifest: {"host":"pay.example","purpose":"Why the app needs it"}`,
  ],
  [
    "another port of a new host",
    ["pay.example", 8443, declared],
    '{"host":"pay.example","ports":[8443],"purpose":"Why the app needs it"}',
  ],
  [
    "another port of a declared host",
    ["api.vin.example", 80, declared],
    'change it in core.hosts of the manifest: {"host":"api.vin.example","ports":[80,443],"purpose":"Decodes VINs"}',
  ],
  [
    "another port below a name",
    ["a.maps.example", 9443, declared],
    '{"host":"*.maps.example","ports":[443,8443,9443]',
  ],
  ["a host that no manifest can name", ["db.internal", 443, []], "A manifest can't name this host."],
  ["the same for an app with any host", ["db.internal", 53], "A manifest can't name this host."],
  ["an app with any host", ["a.example", 8080], "connects only to ports 80 and 443"],
])("%s", (_what, [host, port, hosts], expected) => {
  expect(explain(host, port, hosts)).toContain(expected);
});

test("nothing is advised where no line would help", () => {
  expect(explain("api.vin.example", 443, declared)).toBe(
    `A connection to api.vin.example was refused: it ${reason}.`,
  );
  expect(explain("a.example", 443)).toBe(`A connection to a.example was refused: it ${reason}.`);
  expect(explainRefusal({ host: "", port: 443, reason: "did not say where it leads" }, [])).toBe(
    "A connection was refused: the app did not say where it leads.",
  );
  expect(explainRefusal({ host: "core.harbor.example", port: 53, reason }, [], true)).toBe(
    `A connection to a customer's own host was refused: it ${reason}.`,
  );
  expect(explain("other hosts", 0, [])).toMatch(/^Connections to many other hosts were refused/);
});
