import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CELLS, RULES, findRule } from "./secret-cells";
import { secretTable } from "./secret-table";

const DOCUMENT = path.resolve("docs/secrets.md");
const BLOCK = /(<!-- table -->\n\n).*(\n\n<!-- end of the table -->)/s;

// Guarantee: the documented table is the one that tests the cells. `npx vitest run tests/secret-table.test.ts -u` updates it.
test("docs/secrets.md shows the rules and every cell", async () => {
  const text = await readFile(DOCUMENT, "utf8");
  expect(text).toMatch(BLOCK);
  const renewed = text.replace(BLOCK, (_, begin: string, end: string) => begin + secretTable() + end);
  await expect(renewed).toMatchFileSnapshot(DOCUMENT);
});

// Guarantee: no rule is dead, and no cell is there twice.
test("each rule decides some cell", () => {
  expect(CELLS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(CELLS.map((cell) => findRule(cell)))).toEqual(new Set(RULES));
  const texts = CELLS.map(({ name: _, ...cell }) => JSON.stringify(cell));
  expect(new Set(texts).size).toBe(CELLS.length);
});
