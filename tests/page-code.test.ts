/**
 * What every page loads contains none of the libraries that only forms and checks need (docs/decisions/034-what-pages-load.md).
 * `npm run bench:pages -- browser` weighs the pages themselves.
 */
import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "..");
const OPEN = ["open-frame", "lazy-pages", "lazy-error-page"].map((name) => `components/surface/${name}.tsx`);
const SIGNED_IN = [
  "components/surface/app-shell.tsx",
  "components/surface/providers.tsx",
  "components/platform/live.tsx",
];

/** The packages that a module imports, however indirectly, except by `import()`; each with the module that names it. */
async function listPackages(entry: string): Promise<Map<string, string>> {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    splitting: false,
    outdir: "out",
    packages: "external",
    logLevel: "silent",
  });
  const packages = new Map<string, string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path: target, kind, external = false } of metafile.inputs[file]?.imports ?? []) {
      if (kind === "dynamic-import") continue;
      if (external) packages.set(target, file);
      else visit(target);
    }
  };
  visit(entry);
  return packages;
}

test.each([...OPEN, ...SIGNED_IN])("%s loads no zod", async (entry) => {
  expect((await listPackages(entry)).get("zod")).toBeUndefined();
});

test.each(OPEN)("%s loads no form controls", async (entry) => {
  const packages = await listPackages(entry);
  expect(packages.get("react-aria-components")).toBeUndefined();
  expect(packages.get("react-hook-form")).toBeUndefined();
});

test("what a form imports is found", async () => {
  const packages = await listPackages("components/accounts/organization/invite-dialog.tsx");
  expect([packages.has("zod"), packages.has("react-aria-components")]).toEqual([true, true]);
});
