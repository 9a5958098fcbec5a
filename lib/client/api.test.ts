import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Problem } from "@/lib/contract/problem";
import { callApi, fieldPathOf, problemBodyOf } from "./api";
import { showIssues, withoutShown } from "./show-issues";

afterEach(() => vi.unstubAllGlobals());

function givenAnswer(answer: () => Promise<Response>) {
  const fetched = vi.fn(answer);
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const taken = new Problem("NAME_TAKEN", "It is taken.", [
  { code: "taken", pointer: "/about/product", message: "It is taken." },
]);

test("an answer is checked against its shape, and a mutation without input still sends JSON", async () => {
  const fetched = givenAnswer(async () => Response.json({ id: "1" }));
  await expect(callApi("POST", "/api/x", { answer: z.object({ id: z.string() }) })).resolves.toEqual({
    id: "1",
  });
  expect(fetched).toHaveBeenCalledWith("/api/x", expect.objectContaining({ body: "{}" }));
  await expect(callApi("GET", "/api/x", { answer: z.object({ id: z.number() }) })).rejects.toThrow();
});

test("a refusal keeps its code, sentence and issues", async () => {
  givenAnswer(async () => Response.json(taken.body(), { status: 409 }));
  expect(problemBodyOf(await refusalOf(callApi("POST", "/api/x")))).toEqual(taken.body());
});

test("what is no problem+json, and no answer at all, still say what to do", async () => {
  givenAnswer(async () => new Response("<html>", { status: 502 }));
  expect(problemBodyOf(await refusalOf(callApi("POST", "/api/x")))).toMatchObject({ code: "INTERNAL" });
  givenAnswer(() => Promise.reject(new TypeError("Failed to fetch")));
  expect(problemBodyOf(await refusalOf(callApi("POST", "/api/x")))).toMatchObject({ code: "UNAVAILABLE" });
});

test("an issue shows at its field; what has no field stays above the form", async () => {
  givenAnswer(async () => Response.json(taken.body(), { status: 409 }));
  const error = await refusalOf(callApi("POST", "/api/x"));
  const setError = vi.fn();
  showIssues(error, { about: { product: "" } }, setError);
  expect(setError).toHaveBeenCalledWith(
    "about.product",
    { type: "taken", message: "It is taken." },
    { shouldFocus: true },
  );
  expect(withoutShown(error, { about: { product: "" } })).toBeUndefined();
  expect(withoutShown(error, { name: "" })).toBe(error);
  expect(fieldPathOf({ code: "x", pointer: "/a~1b/c~0d", message: "" })).toBe("a/b.c~d");
});

test("a second press that overtakes the first sends nothing, and gets the same answer", async () => {
  const fetched = givenAnswer(async () => Response.json({ id: "1" }));
  const options = { body: { name: "CI" }, answer: z.object({ id: z.string() }) };
  const press = () => callApi("POST", "/api/x", options);
  expect(await Promise.all([press(), press()])).toEqual([{ id: "1" }, { id: "1" }]);
  expect(fetched).toHaveBeenCalledTimes(1);
  await Promise.all([press(), callApi("POST", "/api/x", { ...options, body: { name: "Other" } })]);
  expect(fetched).toHaveBeenCalledTimes(3);
});
