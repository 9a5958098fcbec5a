import { expect, test } from "vitest";
import { readCallFilter, toCallQuery } from "./call-filter";

const read = (query: string) =>
  toCallQuery(readCallFilter(Object.fromEntries(new URLSearchParams(query)))).toString();

test("a filter survives its way through a URL", () => {
  for (const query of [
    "state=dead&kind=webhook&source=console&last=7d&slower=500",
    "app=acme%2Fvin-autofill&installation=019ab000-0000-7000-8000-000000010090&path=%2Fevents",
    "from=2026-11-20T05%3A00%3A00.000Z&to=2026-11-20T10%3A30%3A00%2B01%3A00",
    "event=policy.&q=locked",
  ])
    expect(read(query)).toBe(query);
});

// Guarantee: no link makes a page fail, because what reaches the database is what it can compare.
test.each([
  "state=gone&kind=x&source=x&last=2d",
  "installation=1&slower=-1",
  "slower=0&q=%20",
  "slower=1.5",
  "slower=86400001",
  `q=${"x".repeat(201)}`,
  "from=2026-02-30T00:00:00Z",
  "from=2026-13-01T00:00:00Z",
  "from=0000-01-01T00:00:00Z",
  "from=2026-11-20&to=yesterday",
  "from=2026-11-20T25:00:00Z",
  "unknown=1",
])("%s is ignored", (query) => expect(read(query)).toBe(""));

test("of a request's body, other types are ignored too", () => {
  const filter = readCallFilter({ state: 1, q: ["x"], slower: 500, from: null });
  expect(toCallQuery(filter).toString()).toBe("slower=500");
});
