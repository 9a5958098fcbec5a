/** Links from the product's code to headings of the documentation. That pages exist, the compiler checks. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Link } from "./check-links";

const FOLDERS = ["app", "cli", "components", "lib"];
const CALL = /docsPath\(\s*"([a-z-]+)",\s*"([^"]+)"/g;
const PATH = /["'`](\/docs\/[a-z-]+(?:#[\w.-]+)?)["'`]/g;

export function listCodeLinks(): Link[] {
  return FOLDERS.flatMap(listSources).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const at = (index: number) => `${file}:${text.slice(0, index).split("\n").length}`;
    return [
      ...[...text.matchAll(CALL)].map(({ 1: slug, 2: anchor, index }) => ({
        at: at(index),
        target: `/docs/${slug}#${anchor}`,
      })),
      ...[...text.matchAll(PATH)].map(({ 1: target = "", index }) => ({ at: at(index), target })),
    ];
  });
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => path.join(folder, name));
}
