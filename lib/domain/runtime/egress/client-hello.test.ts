import fc from "fast-check";
import { expect, test } from "vitest";
import { createClientHello, extension, serverName, splitRecords } from "@/tests/egress/client-hello";
import { HELLO_REFUSALS, LONGEST_HELLO, readClientHello } from "./client-hello";

const hello = createClientHello([extension(0, serverName("api.example.com"))]);

test("the server name is read, whatever records the greeting is split into", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }), (cuts) => {
      expect(readClientHello(splitRecords(hello, cuts))).toEqual({ name: "api.example.com" });
    }),
  );
});

test("what is there so far asks for more, and never leads to another answer", () => {
  const bytes = splitRecords(hello, [3, 20]);
  for (let length = 0; length < bytes.length; length += 1) {
    const read = readClientHello(bytes.subarray(0, length));
    expect(read).toEqual({ need: expect.any(Number) });
    if ("need" in read) {
      expect(read.need).toBeGreaterThan(length);
      expect(read.need).toBeLessThanOrEqual(bytes.length);
    }
  }
});

const padding = (length: number) => extension(21, new Uint8Array(length));
const refusals: [what: string, bytes: Uint8Array, refused: string][] = [
  ["no server name", splitRecords(createClientHello([padding(4)])), HELLO_REFUSALS.noName],
  ["no extensions", splitRecords(createClientHello(undefined)), HELLO_REFUSALS.noName],
  [
    "an encrypted greeting beside a name that is allowed",
    splitRecords(
      createClientHello([extension(0, serverName("api.example.com")), extension(0xfe0d, new Uint8Array(9))]),
    ),
    HELLO_REFUSALS.hidden,
  ],
  [
    "an encrypted server name of an early draft",
    splitRecords(createClientHello([extension(0xffce, new Uint8Array(9))])),
    HELLO_REFUSALS.hidden,
  ],
  [
    "two server names",
    splitRecords(
      createClientHello([extension(0, serverName("a.example")), extension(0, serverName("b.example"))]),
    ),
    HELLO_REFUSALS.malformed,
  ],
  [
    "two names in one list",
    splitRecords(createClientHello([extension(0, serverName("a.example", "b.example"))])),
    HELLO_REFUSALS.malformed,
  ],
  [
    "an empty name",
    splitRecords(createClientHello([extension(0, serverName(""))])),
    HELLO_REFUSALS.malformed,
  ],
  [
    "a name with a zero",
    splitRecords(createClientHello([extension(0, serverName("api.example.com\0.evil.example"))])),
    HELLO_REFUSALS.malformed,
  ],
  [
    "a name of 300 bytes",
    splitRecords(createClientHello([extension(0, serverName("a".repeat(300)))])),
    HELLO_REFUSALS.malformed,
  ],
  [
    "a greeting of 32 KiB",
    splitRecords(createClientHello([padding(32_000), extension(0, serverName("a.example"))])),
    HELLO_REFUSALS.tooLong,
  ],
  ["a record for each byte", splitRecords(hello, Array<number>(60).fill(1)), HELLO_REFUSALS.tooLong],
  ["HTTP", new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a.example\r\n\r\n"), HELLO_REFUSALS.notTls],
  ["SSH", new TextEncoder().encode("SSH-2.0-OpenSSH_9.6\r\n"), HELLO_REFUSALS.notTls],
  ["SSL 2", Uint8Array.of(0x80, 0x2e, 1, 0, 2, 0, 0x15, 0, 0, 0, 0x10), HELLO_REFUSALS.notTls],
  ["another message", splitRecords(Uint8Array.of(2, 0, 0, 1, 0)), HELLO_REFUSALS.malformed],
  ["an empty record", Uint8Array.of(22, 3, 1, 0, 0), HELLO_REFUSALS.malformed],
  [
    "another message behind the greeting",
    splitRecords(Uint8Array.of(...hello, ...hello)),
    HELLO_REFUSALS.malformed,
  ],
];

test.each(refusals)("%s is refused", (_, bytes, refused) => {
  expect(readClientHello(bytes)).toEqual({ refused });
});

test("no bytes make it fail, read past their end, or ask for more than its limit", () => {
  const flipped = fc
    .tuple(fc.nat(hello.length + 4), fc.integer({ min: 0, max: 255 }))
    .map(([at, byte]) => splitRecords(hello).with(at % (hello.length + 5), byte));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), flipped), (bytes) => {
      const read = readClientHello(bytes);
      if ("need" in read) {
        expect(read.need).toBeGreaterThan(bytes.length);
        expect(read.need).toBeLessThanOrEqual(LONGEST_HELLO + 5);
      } else if ("name" in read) expect(read.name).toMatch(/^[!-~]{1,255}$/);
    }),
    { numRuns: 2_000 },
  );
});
