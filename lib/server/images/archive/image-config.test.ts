/** What engines read of a configuration. `tests/hostile-images/go-reader.test.ts` compares it with Go's decoder. */
import { describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { CONFIG_MEMBERS, configText, type Kind } from "@/tests/hostile-images/crafted-configs";
import { requireConfig } from "./image-config";

/** "accepted", or why it is refused. */
function judge(member: string, value: string): string {
  try {
    requireConfig(Buffer.from(configText(member, value)), "config.json");
    return "accepted";
  } catch (error) {
    if (error instanceof Problem) return error.issues[0]?.message ?? "";
    throw error;
  }
}

const FITS: Record<Kind, string> = {
  text: '"x"',
  texts: '["A=1","B="]',
  flag: "true",
  whole: "30000000000",
  time: '"2026-02-28T23:59:59.123456789+01:00"',
  ports: '{"80/tcp":{},"53/UDP":{},"8080":{}}',
  set: '{"/data":{}}',
  map: '{"a":"1"}',
  object: "{}",
  steps: '[{"created":"0001-01-01T00:00:00Z","created_by":"RUN true","empty_layer":true}]',
};

/** What is a special case of it. */
const ALSO: Partial<Record<Kind, readonly Kind[]>> = {
  text: ["time"],
  ports: ["object"],
  set: ["object", "ports"],
  map: ["object"],
  object: ["ports", "set", "map"],
};

// Guarantee: a configuration that an engine can't decode is refused when the image is checked, with the member that is wrong.
test.each(CONFIG_MEMBERS)("%s takes %s, and null as if it were absent", (member, kind) => {
  const fitting = [kind, ...(ALSO[kind] ?? [])];
  const expected = Object.keys(FITS).map((other) => [other, fitting.some((one) => one === other)]);
  const found = Object.entries(FITS).map(([other, value]) => [other, judge(member, value) === "accepted"]);
  expect(found).toEqual(expected);
  expect(judge(member, "null")).toBe("accepted");
  expect(judge(member, "[[5]]")).toMatch(/^config\.json is not valid in a container image \(at /);
});

describe("values that engines don't take", () => {
  test.each([
    ["created", '"x"'],
    ["created", '""'],
    ["created", '"2026-02-30T00:00:00Z"'],
    ["created", '"2026-01-01T24:00:00Z"'],
    ["created", '"2026-01-01T00:00Z"'],
    ["created", '"2026-01-01T00:00:00,5Z"'],
    ["created", '"2026-01-01T00:00:00"'],
    ["created", '"2026-01-01 00:00:00Z"'],
    ["created", '"2026-01-01T00:00:00+24:00"'],
    ["config.StopTimeout", "1.0"],
    ["config.StopTimeout", "1e1"],
    ["config.StopTimeout", "9223372036854775808"],
    ["config.Healthcheck", '{"Interval":"30s"}'],
    ["config.Healthcheck", '{"Interval":3e10}'],
    ["config.Healthcheck", '{"Retries":1.5}'],
    ["config.Healthcheck", '{"Test":"true"}'],
    ["config.ExposedPorts", '{"http":{}}'],
    ["config.ExposedPorts", '{"65536/tcp":{}}'],
    ["config.ExposedPorts", '{"8000-8010/tcp":{}}'],
    ["config.ExposedPorts", '{"80/tcp":5}'],
    ["config.Env", '["=1"]'],
    ["config.Env", '["A=\\u0000"]'],
    ["config.Cmd", '["a\\u0000b"]'],
    ["config.Entrypoint", '["\\u0000"]'],
    ["config.WorkingDir", '"app"'],
    ["config.WorkingDir", '"/a\\u0000"'],
    ["config.Labels", '{"a":1}'],
    ["history", '[{"created":"yesterday"}]'],
    ["history", '[{"empty_layer":"yes"}]'],
    ["history", "[5]"],
  ])("%s: %s is refused", (member, value) => {
    expect(judge(member, value)).toMatch(
      /^config\.json (is not valid in a container image \(at |has .* as )/,
    );
  });

  test("the message says where and why", () => {
    expect(judge("config.WorkingDir", '"app"')).toBe(
      "config.json is not valid in a container image (at config.WorkingDir: it is not an absolute path).",
    );
    expect(judge("config.StopTimeout", "1e1")).toBe(
      "config.json has 1e1 as StopTimeout, which engines don't take for a whole number.",
    );
  });

  test("members that engines don't know may have any value", () => {
    for (const value of ["5", '"x"', "[1.5]", '{"a":1e9}'])
      expect(judge("moby.buildkit.cache.v0", value)).toBe("accepted");
  });
});
