/** Requests that no page of ours sends, to every route handler on disk. */
import { expect, test } from "vitest";
import { admit, ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import { testPlatform } from "../test-platform";
import { askHandler, loadHandlers, toParams, WEB_URL } from "./ask-handlers";
import { type AskedRoute, describeCases } from "./cases";
import { givenWorld, type Person } from "./world";

const platform = await testPlatform({ PLATFORM_WEB_URL: WEB_URL });
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });

/** Hundreds of requests, also on a busy machine. */
const LONG = { timeout: 120_000 };

const handlers = await loadHandlers();
const cases = describeCases("http://127.0.0.1:9");

/** Every caller, with their permissions. */
async function givenAsked() {
  const { acme, people } = await givenWorld(platform, "http://127.0.0.1:9");
  const mayAsk = (person: Person, name: AskedRoute) => admit(ROUTE_POLICY[name], person.actor) === "admitted";
  return handlers.map(([name, handler]) => {
    const person = people.find((one) => one.actor !== undefined && mayAsk(one, name));
    if (person === undefined) throw new Error(`nobody may ask ${name}`);
    const { at, body, query, headers } = cases[name];
    const request = {
      ...{ name, person, headers },
      params: toParams(name, acme.ids, at),
      query: query?.(acme.ids),
      body: JSON.stringify(body?.(acme.ids)),
    };
    return { name, handler, request, hasBody: body !== undefined };
  });
}

const readAudit = async () => (await platform.pool.query("select count(*) from audit")).rows;

// Guarantee: no other site changes anything with a visitor's session.
test("every change from another origin is refused, and changes nothing", LONG, async () => {
  const asked = (await givenAsked()).filter(({ name }) => !name.startsWith("GET "));
  expect(asked.length).toBeGreaterThan(60);
  const before = await readAudit();
  for (const { name, handler, request } of asked) {
    // Mail readers send it, and its URL proves what they may do.
    if (name === "POST /api/unsubscribe/[token]") continue;
    for (const origin of [
      undefined,
      "null",
      "",
      "https://evil.example",
      `${WEB_URL}.evil.example`,
      `${WEB_URL}@evil.example`,
      "http://localhost",
      "http://localhost:3001",
      "https://localhost:3000",
    ]) {
      const headers = { ...request.headers, origin, "x-forwarded-host": "localhost:3000" };
      const { status, text } = await askHandler(handler, { ...request, headers });
      expect(`${status} ${text}`, `${name} from ${origin}`).toMatch(/^403 .*WRONG_ORIGIN/);
    }
  }
  expect(await readAudit()).toEqual(before);
});

// Guarantee: a form can't send what a handler takes for JSON.
test("every body that is not sent as JSON is refused, and changes nothing", LONG, async () => {
  const asked = (await givenAsked()).filter(({ hasBody }) => hasBody);
  expect(asked.length).toBeGreaterThan(40);
  const before = await readAudit();
  for (const { name, handler, request } of asked) {
    for (const type of [
      undefined,
      "text/plain",
      "text/plain; charset=application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json-patch+json",
    ]) {
      const { status, text } = await askHandler(handler, { ...request, headers: { "content-type": type } });
      expect(`${status} ${text}`, `${name} as ${type}`).toMatch(/^415 .*WRONG_MEDIA_TYPE/);
    }
  }
  expect(await readAudit()).toEqual(before);
});

// Guarantee: no text is stored or sent to an app with other characters than were sent.
test("every body that is not UTF-8 is refused with the offset, and changes nothing", LONG, async () => {
  const asked = (await givenAsked()).filter(({ hasBody }) => hasBody);
  const before = await readAudit();
  const body = Buffer.from('{"name":"Zo\xEB"}', "latin1");
  for (const { name, handler, request } of asked) {
    const { status, text } = await askHandler(handler, { ...request, body });
    expect(`${status} ${text}`, name).toMatch(/^400 .*BAD_INPUT.*0xEB at offset 11/);
  }
  expect(await readAudit()).toEqual(before);
});

const NUL = "\0";
const HOSTILE = [
  `id";drop`,
  "'; drop table users; --",
  NUL,
  "%",
  "\\",
  "../..",
  "[object Object]",
  "-1",
  "\ud800",
];
const NAMES = [
  "sort",
  "q",
  "after",
  "before",
  "kind",
  "state",
  "from",
  "to",
  "format",
  "event",
  "installation",
  "use",
];

// Guarantee: no query is part of a statement, and none is a bug.
test("every read answers hostile queries, and no query is an error of ours", LONG, async () => {
  const asked = (await givenAsked()).filter(({ name }) => name.startsWith("GET "));
  expect(asked.length).toBeGreaterThan(25);
  const failed: string[] = [];
  for (const { name, handler, request } of asked) {
    for (const value of HOSTILE) {
      const query = new URLSearchParams(NAMES.map((key) => [key, value])).toString();
      const { status } = await askHandler(handler, { ...request, query });
      if (status >= 500) failed.push(`${name}?${query}: ${status}`);
    }
  }
  expect(failed).toEqual([]);
});

// Guarantee: whatever is in a path, it names nothing or is refused.
test("every hostile path is absent", LONG, async () => {
  const asked = (await givenAsked()).filter(({ name }) => name.includes("["));
  const found: string[] = [];
  const segments = [...HOSTILE, "..%2f..%2fetc", "%00", "a/b", "A".repeat(1024 * 1024)];
  for (const { name, handler, request } of asked) {
    for (const segment of segments) {
      const params = Object.fromEntries(Object.keys(request.params).map((param) => [param, segment]));
      const { status } = await askHandler(handler, { ...request, params, query: "" });
      if (![303, 400, 404].includes(status)) found.push(`${name} with ${segment.slice(0, 20)}: ${status}`);
    }
  }
  expect(found).toEqual([]);
});
