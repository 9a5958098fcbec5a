import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOTS =
  /^(app|bench|bin|cli|components|docs|drizzle|e2e|examples|gateway|launcher|lib|tests|upkeep|worker)\/|^proxy\.ts$/;
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...markdownIn("docs")];

// Guarantee: the documentation names only files and folders that exist.
test.each(documents)("every path in %s exists", (document) => {
  const text = readFileSync(document, "utf8");
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, target = ""]) => target)
    .filter((it) => ROOTS.test(it));
  // Links to pages of the product, such as `/docs/start`, are checked by tests/docs/.
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)]
    .filter(([, target = ""]) => !target.startsWith("/"))
    .map(([, target = ""]) => path.join(path.dirname(document), target));
  expect([...quoted, ...linked].filter((target) => !existsSync(target))).toEqual([]);
});

// Guarantee: a newcomer finds every concept folder on the map.
test.each(["lib/server", "components"])("docs/map.md describes every folder of %s", (parent) => {
  const map = readFileSync("docs/map.md", "utf8");
  const folders = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !map.includes(`| \`${name}/\``))).toEqual([]);
});

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join(folder, name));
}
