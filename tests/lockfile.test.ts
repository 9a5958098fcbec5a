import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

interface Locked {
  version?: string;
  optional?: boolean;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "../package-lock.json"), "utf8"),
);
const names = new Set(
  Object.keys(lock.packages).map((location) =>
    location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length),
  ),
);

/** Names of native bindings contain a platform. */
const BINDING = /(darwin|linux|win32|windows|android|freebsd|wasm32|arm64|x64)/;

// Guarantee: `npm ci` works on every platform that the packages support, not only on the one that wrote the lock file.
test("the lock file names every platform's binding", () => {
  const missing = Object.entries(lock.packages).flatMap(([location, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => BINDING.test(name) && !names.has(name))
      .map((name) => `${location} lacks ${name}`),
  );
  expect(missing).toEqual([]);
});

// Guarantee: no committed file names a registry.
test("the lock file names no download address", () => {
  expect(Object.values(lock.packages).filter((locked) => locked.resolved?.startsWith("http"))).toEqual([]);
});

test("every dependency is pinned to one version", () => {
  const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } =
    JSON.parse(readFileSync(path.join(import.meta.dirname, "../package.json"), "utf8"));
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^(npm:[a-z/@-]+@)?\d/.test(version),
  );
  expect(loose).toEqual([]);
});
