import { expect, test } from "vitest";
import { skipInterim } from "./interim";

const FINAL = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const INTERIM = [
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.0 100 Continue\r\n\r\n",
  "HTTP/1.1 100\r\n\r\n",
  "HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n",
  "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
];

/** Feeds pieces as a connection does, and returns what passes. */
function feed(pieces: Iterable<string>): string {
  let [held, passed] = ["", ""];
  let isFinal = false;
  for (const piece of pieces) {
    if (isFinal) passed += piece;
    else {
      const skipped = skipInterim(Buffer.from(held + piece, "latin1"));
      ({ isFinal } = skipped);
      const rest = skipped.rest.toString("latin1");
      if (isFinal) passed = rest;
      else held = rest;
    }
  }
  return isFinal ? passed : `held: ${held}`;
}

// Guarantee: an answer is the same with and without interim responses before it, however the bytes are cut.
test("interim responses are skipped, in one piece, in two, and byte by byte", () => {
  for (const interim of ["", ...INTERIM]) {
    const all = interim + FINAL;
    expect(feed([all]), interim).toBe(FINAL);
    expect(feed(all), interim).toBe(FINAL);
    for (let at = 1; at < all.length; at += 1)
      expect(feed([all.slice(0, at), all.slice(at)]), `${interim} at ${at}`).toBe(FINAL);
  }
});

test.each([
  "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\r\n\r\n",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/2.0 100 Continue\r\n\r\n",
  "HTTP/1.1 1ab\r\n\r\n",
  "hello there, 1\r\n\r\n",
])("%j passes unchanged", (text) => {
  expect(feed([text])).toBe(text);
  expect(feed(text)).toBe(text);
});

test("a head that is too long passes unchanged", () => {
  const long = `HTTP/1.1 103 Early Hints\r\nx: ${"a".repeat(20_000)}`;
  expect(feed([long]) === long).toBe(true);
});

test("the beginning of an interim response waits for the rest", () => {
  expect(feed(["HTTP/1.1 1"])).toBe("held: HTTP/1.1 1");
  expect(feed(["HTTP/1.1 100 Continue\r\n\r\n"])).toBe("held: ");
  expect(feed(["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E"])).toBe("held: HTTP/1.1 103 E");
});
