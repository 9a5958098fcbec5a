import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CELLS, RULES, ruleOf } from "./secret-cells";
import { secretTable } from "./secret-table";

const DOCUMENT = path.resolve("docs/secrets.md");
const BLOCK = /(<!-- table -->\n\n).*(\n\n<!-- end of the table -->)/s;

// Guarantee: the written table is the one that the cells are tested by. `npx vitest run tests/secret-table.test.ts -u` writes it anew.
test("docs/secrets.md shows the rules and every cell", async () => {
  const text = await readFile(DOCUMENT, "utf8");
  expect(text).toMatch(BLOCK);
  const renewed = text.replace(BLOCK, (_, begin: string, end: string) => begin + secretTable() + end);
  await expect(renewed).toMatchFileSnapshot(DOCUMENT);
});

// Guarantee: no rule is dead, and no cell stands twice.
test("each rule decides some cell", () => {
  expect(CELLS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(CELLS.map((cell) => ruleOf(cell)))).toEqual(new Set(RULES));
  const told = CELLS.map(({ name: _, ...cell }) => JSON.stringify(cell));
  expect(new Set(told).size).toBe(CELLS.length);
});
