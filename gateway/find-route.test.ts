import { expect, test } from "vitest";
import { ROUTES } from "@/lib/server/surface/api/all-routes";
import { createRouteFinder } from "./find-route";

const find = createRouteFinder(() => true);
const code = (method: string, path: string) => {
  try {
    return find(method, path).route.name;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
};

// Guarantee: every route is found by its method and path, also with a doubled first slash.
test.each(ROUTES)("$name is found", (route) => {
  const [method = "", pattern = ""] = route.name.split(" ");
  const path = pattern.replace(/<\w+\.\.\.>/, "a/b").replace(/<\w+>/g, "x");
  const expected = path.endsWith("/a/b") ? ["x", "a/b"] : path.split("/").filter((part) => part === "x");
  for (const address of [path, `/${path}`])
    expect(find(method === "ANY" ? "PATCH" : method, address)).toEqual({ route, parts: expected });
});

test.each([
  ["DELETE", "/state/x", "WRONG_METHOD"],
  ["GET", "/r/x", "GET /r/<routeId>"],
  ["PUT", "/r/x", "WRONG_METHOD"],
  ["POST", "/r/x", "POST /r/<routeId>"],
  ["TRACE", "/publish/v1/apps/a/b/manifest", "WRONG_METHOD"],
  ["GET", "/state", "NOT_FOUND"],
  ["GET", "/state/", "NOT_FOUND"],
  ["GET", "/state/x/y", "NOT_FOUND"],
  ["GET", "///state/x", "NOT_FOUND"],
  ["GET", "/states/x", "NOT_FOUND"],
  ["GET", "/", "NOT_FOUND"],
  ["GET", "*", "NOT_FOUND"],
  ["POST", "/r/x/", "ANY /r/<routeBase>/<path...>"],
])("%s %s is %s", (method, path, expected) => expect(code(method, path)).toBe(expected));

test("a listener answers only its own routes", () => {
  const state = createRouteFinder((route) => route === "GET /state/<key>");
  expect(state("GET", "/state/x").parts).toEqual(["x"]);
  expect(() => state("GET", "/health")).toThrow();
});
