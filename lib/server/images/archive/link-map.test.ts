/** What following links costs, by the steps that are counted. Where links lead is in `root-manifest.test.ts`. */
import { describe, expect, test } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { BUNDLE_LIMITS } from "./bad-bundle";
import { LinkMap, split, WorkBudget } from "./link-map";
import { RootManifest } from "./root-manifest";
import type { TarEntry } from "./tar-scanner";

const entry = (name: string, more: Partial<TarEntry> = {}): TarEntry => ({
  name,
  type: "file",
  linkName: "",
  size: 0,
  offset: 0,
  ...more,
});
const link = (name: string, linkName: string) => entry(name, { type: "symlink", linkName });

/** 39 links, each to the next one, by way of a target of 4 KB; the last one is to a folder. */
function chain(detour: string): TarEntry[] {
  const way = detour.repeat(Math.floor(4_080 / detour.length));
  const links = Array.from({ length: 39 }, (_, at) =>
    link(`l${at}`, `${way}${at < 38 ? `l${at + 1}` : "end"}`),
  );
  return [entry("d", { type: "directory" }), entry("end", { type: "directory" }), ...links];
}

/** Files that take turns between two links, so that no file is in the folder of the one before it. */
const files = Array.from({ length: 1_500 }, (_, at) => entry(`l${at % 2}/f${at}`));

/** How many of the entries are read, why the next one isn't, and what it all cost. */
function read(entries: readonly TarEntry[]) {
  const manifest = new RootManifest();
  manifest.startLayer("layer.tar");
  for (const [at, each] of entries.entries()) {
    try {
      manifest.entry(each);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { read: at, code: error.issues[0]?.code, spent: manifest.budget.spent };
    }
  }
  return { read: entries.length, code: undefined, spent: manifest.budget.spent };
}

describe("39 links with targets of 4 KB, and 1,500 files behind them", () => {
  // Guarantee (issue 27, I): the cost is bounded before it is spent. A path costs each step of each target on its way.
  test("each step of a target is counted, also those that lead back, and too many are refused", () => {
    const links = chain("d/../");
    const one = read([...links, ...files.slice(0, 1)]).spent - read(links).spent;
    // For the whole image and for its layer: 39 targets of 816 folders and 816 ways back.
    expect(one).toBeGreaterThan(2 * 39 * 1_632);
    const refused = read([...links, ...files]);
    expect(refused.code).toBe("TOO_MANY_ENTRIES");
    expect(refused.spent - BUNDLE_LIMITS.pathWork).toBeLessThan(one);
    expect(refused.read - links.length).toBeCloseTo(BUNDLE_LIMITS.pathWork / one, -1.5);
    expect(refused.read - links.length).toBeLessThan(200);
  });

  test("what means nothing in a target is read once, not by every file", () => {
    const { code, spent } = read([...chain("./"), ...files]);
    expect(code).toBeUndefined();
    expect(spent).toBeLessThan(5_000_000);
  });
});

// Guarantee: following a path costs as much as it is long, not its length at each of its parts.
test("a path twice as deep costs twice as much", () => {
  const cost = (depth: number) => {
    const budget = new WorkBudget();
    const map = new LinkMap(budget);
    map.add(link("a", "b"), ["a"]);
    const name = `${"n/".repeat(depth)}f`;
    map.add(entry(name), split(name));
    return budget.spent;
  };
  expect(cost(2_000)).toBeLessThan(2.1 * cost(1_000));
});

test("names that mean nothing are counted too", () => {
  const name = (at: number) => `${"./".repeat(2_000)}f${at}`;
  expect(read(Array.from({ length: 100 }, (_, at) => entry(name(at)))).spent).toBeGreaterThan(100 * 4_000);
});

test("links in 100,000 files of an ordinary image cost a small part of what they may", () => {
  const folders = Array.from({ length: 5_000 }, (_, at) => `usr/lib/node_modules/package-${at}/dist`);
  const inFolders = folders.flatMap((folder) => [
    entry(folder, { type: "directory" }),
    ...Array.from({ length: 19 }, (_, at) => entry(`${folder}/file-${at}.js`)),
    link(`${folder}/latest`, "./file-0.js"),
  ]);
  const { code, spent } = read([link("bin", "usr/bin"), link("lib", "usr/lib"), ...inFolders]);
  expect(code).toBeUndefined();
  expect(spent).toBeLessThan(BUNDLE_LIMITS.pathWork / 5);
});
