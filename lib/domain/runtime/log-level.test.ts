import { expect, test } from "vitest";
import { readLevel } from "./instance";

test.each([
  ['{"level":"ERROR","msg":"x"}', "error"],
  ['{"severity":"Warning"}', "warn"],
  ['{"level":30}', "info"],
  ['{"level":20}', "debug"],
  ['{"level":60}', "error"],
  ['{"level":"constructor"}', null],
  ['{"level":{}}', null],
  ['{"msg":"no level"}', null],
  ['{"level":"error"', null],
  ["error: not JSON", null],
  ["", null],
])("the level of %s is %s", (line, level) => {
  expect(readLevel(line)).toBe(level);
});
