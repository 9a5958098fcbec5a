import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bumpVersion,
  compareVersions,
  manifestVersion,
  nextVersion,
  parseVersion,
  setManifestVersion,
} from "./version";

const part = fc.integer({ min: 0, max: 999_999 });
const version = fc.tuple(part, part, part).map((parts) => parts.join("."));

describe("versions", () => {
  test("are three numbers without leading zeros, each of up to 15 digits", () => {
    for (const text of ["0.0.0", "1.2.3", "20240611.1.0", "999999.999999.999999999999999"])
      expect(parseVersion(text)).toBeDefined();
    for (const text of [
      "",
      "1.2",
      "01.2.3",
      "1.2.3.4",
      "1.2.x",
      "-1.2.3",
      "1.2.3\n",
      `1.2.${10 ** 15}`,
      `1${"0".repeat(30)}.0.0`,
    ]) {
      expect(parseVersion(text), text).toBeUndefined();
    }
  });

  test("are ordered by number, not by text", () => {
    expect(["1.10.0", "1.9.0", "1.9.10", "0.99.99"].sort(compareVersions)).toEqual([
      "0.99.99",
      "1.9.0",
      "1.9.10",
      "1.10.0",
    ]);
  });

  test("a bump raises the second number and resets the third", () => {
    expect(bumpVersion("1.4.2")).toBe("1.5.0");
    expect(() => bumpVersion("1.999999999999999.0")).toThrow(/2\.0\.0/);
    expect(() => bumpVersion("1.4")).toThrow(/not a valid version/);
  });

  test("the next version is above all numbers in use; invalid ones don't count", () => {
    expect(nextVersion(["1.4.2", "1.10.0", undefined, "1.9"])).toBe("1.11.0");
    expect(nextVersion([undefined, "latest"])).toBe("0.1.0");
  });

  test("a bumped version is always newer", () => {
    fc.assert(
      fc.property(
        version,
        (text) => text.includes(".999999999999999.") || compareVersions(bumpVersion(text), text) > 0,
      ),
    );
  });
});

describe("the version in a manifest's text", () => {
  const members = fc.dictionary(
    fc.string().filter((key) => key !== "version" && key !== "__proto__"),
    fc.jsonValue(),
  );
  const blank = fc.stringMatching(/^[ \t\n]{0,3}$/);

  test("is replaced without any other change, whatever the layout and the other members", () => {
    fc.assert(
      fc.property(members, members, version, version, blank, (before, after, from, to, gap) => {
        const listed = (object: Record<string, unknown>) =>
          Object.entries(object).map(
            ([key, value]) => `${JSON.stringify(key)}:${gap}${JSON.stringify(value)}`,
          );
        const all = (text: string) =>
          `{${gap}${[...listed(before), `"version"${gap}:${gap}"${text}"`, ...listed(after)].join(`,${gap}`)}}${gap}`;
        expect(setManifestVersion(all(from), to)).toBe(all(to));
        expect(manifestVersion(all(to))).toBe(to);
      }),
    );
  });

  test("fails if the manifest has none", () => {
    expect(() => setManifestVersion("{}", "1.0.0")).toThrow(/no "version"/);
    expect(manifestVersion("nonsense")).toBeUndefined();
  });
});
