import { expect, test } from "vitest";
import { localPath } from "./navigation";

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
  ];
  for (const wanted of hostile) expect(localPath(wanted, "/marketplace"), wanted).toBe("/marketplace");
  expect(localPath(undefined, "/marketplace")).toBe("/marketplace");
});

test("a path of this origin keeps its query", () => {
  expect(localPath("/launch/acme/vin?test=1", "/")).toBe("/launch/acme/vin?test=1");
});
