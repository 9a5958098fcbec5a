import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { Problem } from "@/lib/contract/platform/problem";
import { callApi, showIssues, toFieldPath, toProblemBody, withoutShownIssues } from "./api";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

function givenAnswer(answer: () => Promise<Response>) {
  const fetched = vi.fn(answer);
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

async function rejection(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const nameTaken = new Problem("NAME_TAKEN", "It is taken.", [
  { code: "taken", pointer: "/about/product", message: "It is taken." },
]);

test("outside production an answer is checked against its shape, and a mutation without input still sends JSON", async () => {
  const fetched = givenAnswer(async () => Response.json({ id: "1" }));
  await expect(
    callApi("POST", "/api/x", { answer: async () => z.object({ id: z.string() }) }),
  ).resolves.toEqual({
    id: "1",
  });
  expect(fetched).toHaveBeenCalledWith("/api/x", expect.objectContaining({ body: "{}" }));
  const wrong = async () => z.object({ id: z.number() });
  await expect(callApi("GET", "/api/x", { answer: wrong })).rejects.toThrow();
  vi.stubEnv("NODE_ENV", "production");
  const load = vi.fn(wrong);
  await expect(callApi("GET", "/api/x", { answer: load })).resolves.toEqual({ id: "1" });
  expect(load).not.toHaveBeenCalled();
});

test("an error response keeps its code, detail and issues", async () => {
  givenAnswer(async () => Response.json(nameTaken.body(), { status: 409 }));
  expect(toProblemBody(await rejection(callApi("POST", "/api/x")))).toEqual(nameTaken.body());
});

test("a response that is not problem+json, and no response, still say what to do", async () => {
  givenAnswer(async () => new Response("<html>", { status: 500 }));
  expect(toProblemBody(await rejection(callApi("POST", "/api/x")))).toMatchObject({ code: "INTERNAL" });
  givenAnswer(() => Promise.reject(new TypeError("Failed to fetch")));
  expect(toProblemBody(await rejection(callApi("POST", "/api/x")))).toMatchObject({ code: "UNAVAILABLE" });
});

// Guarantee: a platform that is away behind a proxy is not called an error on our side, and a change that may have arrived is not denied.
test.each([
  [502, "GET", /can't be reached right now.*not lost\..*moment\.$/],
  [502, "POST", /not lost.*may still take effect/],
  [503, "POST", /not lost\..*moment\.$/],
  [504, "DELETE", /not lost.*may still take effect/],
] as const)("a proxy's %d to %s says that the platform can't be reached", async (status, method, detail) => {
  givenAnswer(async () => new Response("<html>", { status }));
  expect(toProblemBody(await rejection(callApi(method, "/api/x")))).toMatchObject({
    code: "UNAVAILABLE",
    detail: expect.stringMatching(detail),
  });
});

test("a proxy's 503 in JSON, and a problem of the platform with the same status, are told apart", async () => {
  givenAnswer(async () => Response.json({ message: "no upstream" }, { status: 503 }));
  expect(toProblemBody(await rejection(callApi("GET", "/api/x")))).toMatchObject({ code: "UNAVAILABLE" });
  const away = new Problem("DATABASE_UNAVAILABLE", "It is away.");
  givenAnswer(async () => Response.json(away.body(), { status: 503 }));
  expect(toProblemBody(await rejection(callApi("GET", "/api/x")))).toEqual(away.body());
});

test("an issue is shown at its field; without a field it stays above the form", async () => {
  givenAnswer(async () => Response.json(nameTaken.body(), { status: 409 }));
  const error = await rejection(callApi("POST", "/api/x"));
  const setError = vi.fn();
  showIssues(error, { about: { product: "" } }, setError);
  expect(setError).toHaveBeenCalledWith(
    "about.product",
    { type: "taken", message: "It is taken." },
    { shouldFocus: true },
  );
  expect(withoutShownIssues(error, { about: { product: "" } })).toBeUndefined();
  expect(withoutShownIssues(error, { name: "" })).toBe(error);
  expect(toFieldPath({ code: "custom", pointer: "/a~1b/c~0d", message: "" })).toBe("a/b.c~d");
});

test("the same request in progress is not sent twice, and both callers get its response", async () => {
  const fetched = givenAnswer(async () => Response.json({ id: "1" }));
  const options = { body: { name: "CI" }, answer: async () => z.object({ id: z.string() }) };
  const press = () => callApi("POST", "/api/x", options);
  expect(await Promise.all([press(), press()])).toEqual([{ id: "1" }, { id: "1" }]);
  expect(fetched).toHaveBeenCalledTimes(1);
  await Promise.all([press(), callApi("POST", "/api/x", { ...options, body: { name: "Other" } })]);
  expect(fetched).toHaveBeenCalledTimes(3);
});
