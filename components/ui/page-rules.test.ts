/** Rules for the source of every page that the compiler can't check. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const FOLDERS = ["app", "components", "cli/dev-page"];

const readSources = (folders: readonly string[]) =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes(".test."))
        .map((file) => path.join(folder, file)),
    )
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));

const pages = readSources(FOLDERS);

/** Sizes in pixels ignore the reader's font size: text stays small, or grows out of its box. */
const PIXELS = [
  /\btext-\[[\d.]+px\]/g,
  /\bleading-\[[\d.]+px\]/g,
  /(?<![\w-])(?:min-h|max-h|h|size)-\[[\d.]+px\]/g,
  /@(?:min|max)-\[[\d.]+px\]/g,
  /grid-cols-\[[^\]]*\dpx[^\]]*\]/g,
  /font-?[sS]ize:\s*"?[\d.]+px/g,
  /line-?[hH]eight:\s*"?[\d.]+px/g,
];

// Guarantee: text and the boxes around it follow the reader's font size.
test("no page gives text a size in pixels", () => {
  const found = pages.flatMap(({ file, text }) =>
    PIXELS.flatMap((pattern) => [...text.matchAll(pattern)].map(([match]) => `${file}: ${match}`)),
  );
  expect(found).toEqual([]);
});

// Guarantee: a search in a page finds "doesn't" everywhere, and two messages about the same thing look the same.
test("apostrophes in texts are straight", () => {
  const found = readSources(["app", "components", "cli", "launcher", "lib"]).flatMap(({ file, text }) =>
    [...text.matchAll(/.{0,20}\u2019.{0,20}/g)].map(([match]) => `${file}: ${match}`),
  );
  expect(found).toEqual([]);
});

const CODE_TAGS = new Set(["code", "pre", "kbd", "samp"]);

// Guarantee: a translated page shows names, paths, keys and JSON as they are.
test("every element with code or in the font of code is excluded from translation", () => {
  const found = pages
    .filter(({ file, text }) => file.endsWith(".tsx") && /font-mono|<(code|pre|kbd|samp)\b/.test(text))
    .flatMap(({ file, text }) => listTranslatedCode(file, text));
  expect(found).toEqual([]);
});

function listTranslatedCode(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if ((ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) && isTranslatedCode(node))
      found.push(`${file}: ${node.getText().slice(0, 100)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTranslatedCode(element: ts.JsxOpeningLikeElement): boolean {
  const tag = element.tagName.getText();
  const attributes = element.attributes.properties.filter(ts.isJsxAttribute);
  const isMono = attributes.some(
    (attribute) => attribute.name.getText() === "className" && attribute.getText().includes("font-mono"),
  );
  // Texts of diagrams and of inputs are never translated.
  if (["text", "input", "textarea"].includes(tag) || !(CODE_TAGS.has(tag) || isMono)) return false;
  return !attributes.some(({ name }) => name.getText() === "translate");
}
