import fc from "fast-check";
import { expect, test } from "vitest";
import { answerQuery } from "./name-query";

const GUARD = "10.213.0.3";
const RECORD = { address: GUARD, seconds: 30 };
const [A, AAAA, TXT, ANY, HTTPS] = [1, 28, 16, 255, 65];

function ask(
  name: string,
  type = A,
  { flags = 0x0100, klass = 1, questions = 1, more = [] as number[] } = {},
) {
  const labels = name.split(".").flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  return Uint8Array.of(
    ...[0x12, 0x34, flags >> 8, flags & 255, 0, questions, 0, 0, 0, 0, 0, more.length > 0 ? 1 : 0],
    ...labels,
    ...[0, 0, type, klass >> 8, klass & 255],
    ...more,
  );
}

function answer(message: Uint8Array, knows = (name: string): boolean => name === "api.example.com") {
  const { response, refused } = answerQuery(message, (name) => (knows(name) ? RECORD : undefined));
  const address = response !== undefined && response[7] === 1 ? [...response.slice(-4)].join(".") : undefined;
  return { code: response && (response[3] ?? 0) & 15, address, refused, response };
}

test("a name that the app may use has the guard's address, in any case and with any options", () => {
  expect(answer(ask("api.example.com"))).toMatchObject({ code: 0, address: GUARD, refused: undefined });
  expect(answer(ask("aPi.eXample.COM"))).toMatchObject({ code: 0, address: GUARD });
  expect(answer(ask("api.example.com", ANY))).toMatchObject({ code: 0, address: GUARD });
  const options = [0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0];
  expect(answer(ask("api.example.com", A, { more: options }))).toMatchObject({ code: 0, address: GUARD });
});

test("the answer says for how long it counts", () => {
  const { response = Uint8Array.of() } = answerQuery(ask("api.example.com"), () => ({
    ...{ address: "10.1.2.3", seconds: 5 },
  }));
  expect([...response.slice(-10)]).toEqual([0, 0, 0, 5, 0, 4, 10, 1, 2, 3]);
});

test("the question comes back as it was sent, with its id", () => {
  const message = ask("aPi.eXample.COM");
  const { response } = answer(message);
  expect(response?.subarray(0, 2)).toEqual(message.subarray(0, 2));
  expect(response?.subarray(12, message.length)).toEqual(message.subarray(12));
  expect(response?.[2]).toBe(0x81);
});

test("it has nothing but an IPv4 address", () => {
  for (const type of [AAAA, TXT, HTTPS])
    expect(answer(ask("api.example.com", type))).toMatchObject({ code: 0, address: undefined });
});

test("no other name exists, and each is counted", () => {
  expect(answer(ask("evil.example"))).toMatchObject({ code: 3, address: undefined, refused: "evil.example" });
  const tunnel = `${"a0".repeat(31)}.${"b1".repeat(31)}.evil.example`;
  expect(answer(ask(tunnel, TXT))).toMatchObject({ code: 3, refused: tunnel });
  expect(answer(ask("127.0.0.1"), () => true)).toMatchObject({ code: 3, refused: "" });
  expect(answer(ask("0x7f.1"), () => true)).toMatchObject({ code: 3, refused: "" });
});

test("what isn't one plain question is not answered, or with an error", () => {
  expect(answer(ask("api.example.com", A, { flags: 0x8100 }))).toMatchObject({ response: undefined });
  expect(answer(ask("api.example.com", A, { flags: 0x2900 }))).toMatchObject({ code: 4 });
  expect(answer(ask("api.example.com", A, { questions: 2 }))).toMatchObject({ code: 1 });
  expect(answer(ask("api.example.com", A, { questions: 0 }))).toMatchObject({ code: 1 });
  expect(answer(ask("api.example.com", A, { klass: 3 }))).toMatchObject({ code: 5 });
  const compressed = ask("api.example.com").with(12, 0xc0);
  expect(answer(compressed)).toMatchObject({ code: 1 });
  const dotInside = ask("api-example.com").with(16, ".".charCodeAt(0));
  expect(answer(dotInside, () => true)).toMatchObject({ code: 1 });
  expect(answer(new Uint8Array(11))).toMatchObject({ response: undefined });
  const long = Array<string>(5).fill("a".repeat(60)).join(".");
  expect(answer(ask(long), () => true)).toMatchObject({ code: 1 });
});

test("no message makes it fail, and no answer is longer than its question and an address", () => {
  const changed = fc
    .tuple(fc.nat(30), fc.integer({ min: 0, max: 255 }))
    .map(([at, byte]) => ask("api.example.com").with(at, byte));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), changed), (message) => {
      const { response } = answerQuery(message, () => RECORD);
      expect(response?.length ?? 0).toBeLessThanOrEqual(message.length + 16);
    }),
    { numRuns: 2_000 },
  );
});
