import { expect, test } from "vitest";
import { findExceeded, formatCpus, formatMemory, measureCapacity } from "./app-limits";

const MIB = 1024 * 1024;
const each = { memoryBytes: 512 * MIB, cpus: 0.1 };

test("apps may use exactly the quota, and nothing beyond it", () => {
  const measure = (apps: number, mebibytes: number, cpus: number) =>
    findExceeded(measureCapacity(apps, each, { memoryBytes: mebibytes * MIB, cpus }));
  expect(measure(3, 1536, 0.3)).toBeUndefined();
  expect(measure(4, 1536, 9)).toBe("memory");
  expect(measure(4, 9999, 0.3)).toBe("CPU");
  expect(measure(1, 511, 1)).toBe("memory");
});

test("memory and CPU as people read them", () => {
  expect([0, 512 * MIB, 1536 * MIB, 10_240 * MIB].map(formatMemory)).toEqual([
    "0 MiB",
    "512 MiB",
    "1.5 GiB",
    "10 GiB",
  ]);
  expect([0, 1, 2.5].map(formatCpus)).toEqual(["0 cores", "1 core", "2.5 cores"]);
});
