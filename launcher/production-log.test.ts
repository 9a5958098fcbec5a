import { expect, test } from "vitest";
import { toJsonLine, toJsonLines } from "./production-log";

// Guarantee: a collector never meets a line that is not JSON.
test("JSON lines stay as they are, and others become the message of one", () => {
  const json = `{"level":30,"part":"web","msg":"ready"}`;
  const lines = toJsonLines("web", ` ▲ Next.js 16\n\n${json}\n{ not json\n`).trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe(json);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, part: "web", msg: "▲ Next.js 16" },
    { msg: "ready" },
    { level: 30, part: "web", msg: "{ not json" },
  ]);
});

test("a message of several lines is one line", () => {
  expect(toJsonLine("launcher", "\none\ntwo\n", "error")).not.toContain("\n");
  expect(JSON.parse(toJsonLine("launcher", "\none\ntwo\n", "error"))).toMatchObject({
    level: 50,
    msg: "one\ntwo",
  });
});
