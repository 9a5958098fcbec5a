/** The catch-all below `/api`, without a database: which handler a URL leads to. */
import { expect, test } from "vitest";
import { ROUTE_POLICY, type RouteName } from "@/lib/domain/accounts/policy";
import { serveRoutes } from "./route";

const WEB_URL = "https://platform.example";
Object.assign(globalThis, { hostingEnvironment: { PLATFORM_WEB_URL: WEB_URL } });

const names = Object.keys(ROUTE_POLICY).filter(
  (name): name is RouteName => name.includes(" /api/") && !name.includes("nextauth"),
);
const serve = serveRoutes(
  names.map((routeName) =>
    Object.assign(
      async (_request: Request, { params }: Parameters<ReturnType<typeof serveRoutes>>[1]) =>
        Response.json({ routeName, params: await params }),
      { routeName },
    ),
  ),
);

function ask(method: string, path: string): Promise<Response> {
  const segments = path.split("/").slice(2).map(decodeURIComponent);
  return serve(new Request(new URL(path, WEB_URL), { method }), {
    params: Promise.resolve({ path: segments }),
  });
}

// Guarantee: a handler gets exactly its own requests, so that the policy row of another one never applies.
test.each(names)("%s leads to its own handler, with its parameters", async (routeName) => {
  const [method = "", path = ""] = routeName.split(" ");
  const params = [...path.matchAll(/\[(\w+)\]/g)].map(([, name = ""], at) => [name, `of ${at}/x`]);
  const filled = params.reduce(
    (url, [name, value]) => url.replace(`[${name}]`, encodeURIComponent(value ?? "")),
    path,
  );
  expect(await (await ask(method, filled)).json()).toEqual({ routeName, params: Object.fromEntries(params) });
});

test("HEAD is answered by the handler of GET", async () => {
  expect(await (await ask("HEAD", "/api/health")).json()).toMatchObject({ routeName: "GET /api/health" });
});

test("a method that the path doesn't have is answered with 405 and those that it has", async () => {
  const answer = await ask("DELETE", "/api/installations/x/configuration");
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, PUT");
  expect(await answer.json()).toMatchObject({ code: "WRONG_METHOD", detail: "Use GET, PUT." });
});

test.each(["/api", "/api/unknown", "/api/installations/x/configuration/more", "/api/health/"])(
  "%s is absent",
  async (path) => {
    const answer = await ask("GET", path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "NOT_FOUND" });
  },
);
