import { expect, test } from "vitest";
import { type Column, nameExport, writeRows } from "./write-rows";

interface Row {
  at: string;
  text: string;
  details: object | null;
}

async function* pages(): AsyncGenerator<Row[]> {
  yield [];
  yield [{ at: "2026-03-01T11:00:00.000Z", text: '=1+"x"', details: { a: 1 } }];
  yield [{ at: "2026-03-01T10:00:00.000Z", text: "plain", details: null }];
}

const columns: Column<Row>[] = [
  ["at", (row) => row.at],
  ["text", (row) => row.text],
  ["details", (row) => row.details],
];

async function write(format: "csv" | "jsonl" | "json", zone?: string): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of writeRows(pages(), columns, format, zone)) parts.push(part);
  return parts.join("").split(format === "csv" ? "\r\n" : "\n");
}

// Guarantee: a sheet shows what was recorded, executes nothing of it, and says in which zone its times are.
test("a list is written for sheets and for programs", async () => {
  expect(await write("csv", "Europe/Zurich")).toEqual([
    '\uFEFF"at","text","details","local time (Europe/Zurich)"',
    `"2026-03-01T11:00:00.000Z","'=1+""x""","{""a"":1}","2026-03-01 12:00:00"`,
    '"2026-03-01T10:00:00.000Z","plain","","2026-03-01 11:00:00"',
    "",
  ]);
  expect((await write("jsonl")).filter(Boolean).map((line) => JSON.parse(line))).toMatchObject([
    { text: '=1+"x"', details: { a: 1 } },
    { text: "plain", details: null },
  ]);
});

// Guarantee: the document is whole however many pages it has, and written page by page.
test("a list is one JSON document, also when it is empty", async () => {
  const parts: string[] = [];
  for await (const part of writeRows(pages(), columns, "json")) parts.push(part);
  expect(parts).toHaveLength(3);
  expect(JSON.parse(parts.join(""))).toMatchObject([{ text: '=1+"x"' }, { text: "plain", details: null }]);
  async function* none(): AsyncGenerator<Row[]> {
    yield [];
  }
  let empty = "";
  for await (const part of writeRows(none(), columns, "json")) empty += part;
  expect(JSON.parse(empty)).toEqual([]);
});

test("a file names its organization and its days", () => {
  const now = new Date("2026-03-31T23:30:00Z");
  const name = (from?: string, to?: string, zone?: string) =>
    nameExport({ owner: "harbor", what: "calls", from, to, format: "csv" }, zone, now);
  expect(name("2026-03-01", "2026-03-08")).toBe("harbor-calls-2026-03-01-to-2026-03-08.csv");
  expect(name("2026-03-01")).toBe("harbor-calls-2026-03-01-to-2026-03-31.csv");
  expect(name("2026-03-31")).toBe("harbor-calls-2026-03-31.csv");
  expect(name(undefined, undefined, "Europe/Zurich")).toBe("harbor-calls-until-2026-04-01.csv");
});
