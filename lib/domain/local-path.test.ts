import { expect, test } from "vitest";
import { localPath } from "./local-path";

test("sign-in never redirects to another origin", () => {
  const hostile = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/.//evil.example",
    "",
    "evil",
    "\\\\evil.example",
    "http://localhost:3000.evil.example",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
  ];
  for (const wanted of hostile) expect(localPath(wanted, "/marketplace"), wanted).toBe("/marketplace");
  expect(localPath(undefined, "/marketplace")).toBe("/marketplace");
});

test("a path of this origin keeps its query", () => {
  expect(localPath("/launch/acme/vin?test=1", "/")).toBe("/launch/acme/vin?test=1");
});

test("an address of this origin counts as its path, one that only starts like it does not", () => {
  const origin = "http://localhost:3000";
  expect(localPath(`${origin}/a?b=1`, "/", origin)).toBe("/a?b=1");
  for (const wanted of [
    `${origin}.evil.example/a`,
    `${origin}@evil.example/a`,
    `${origin}1/a`,
    "http://localhost/a",
  ])
    expect(localPath(wanted, "/", origin), wanted).toBe("/");
});
