import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Their text is a part of a picture, which is as wide as the page lets it be. */
const PICTURES = ["components/surface/docs/diagram.tsx"];

const root = path.join(import.meta.dirname, "../..");
const SIZES: [string, RegExp][] = [
  ["a class", /\btext-\[(?:length:)?[\d.]+px\]/],
  ["a rule", /\bfont(?:-size)?:[^;{}]*\b[\d.]+px/],
  ["a style", /\bfontSize\b(?:=\{|: *|=)["'`]?[\d.]+(?:px)?["'`}, ]/],
];

const listFixedSizes = (text: string) =>
  SIZES.flatMap(([kind, pattern]) =>
    text
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${kind}: ${line.trim()}`),
  );

// Guarantee: whoever makes text larger in the browser's settings gets larger text everywhere.
test("no text has a size in pixels", () => {
  const files = ["app", "components", "cli/dev-page"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => path.posix.join(folder, file))
      .filter((file) => /\.(?:tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file)),
  );
  expect(files.length).toBeGreaterThan(300);
  const fixed = files
    .filter((file) => !PICTURES.includes(file))
    .flatMap((file) =>
      listFixedSizes(readFileSync(path.join(root, file), "utf8")).map((line) => `${file}: ${line}`),
    );
  expect(fixed).toEqual([]);
});

test.each([
  'className="text-[13px]"',
  'className="sm:text-[length:11.5px]"',
  "  font-size: 14px;",
  "  font: 600 12px/1 sans-serif;",
  'style={{ fontSize: "13px" }}',
  "style={{ fontSize: 13 }}",
  "<text fontSize={12}>",
  '<text fontSize="12">',
])("%s is found", (line) => {
  expect(listFixedSizes(line)).toHaveLength(1);
});

test.each(['className="text-[0.9em]"', 'fontSize: "0.8125rem"', "font-size: 0.92em;", "fontSize: size"])(
  "%s is not",
  (line) => {
    expect(listFixedSizes(line)).toEqual([]);
  },
);
