import { expect, test } from "vitest";
import { findUnfit } from "./docker-guard-container";

const onLinux = test.skipIf(process.platform !== "linux" || process.arch !== "x64");

// Guarantee: the guard isn't used where apps could not look up a single name behind it.
onLinux.each([
  ["20.10.24+dfsg1", undefined],
  [
    "26.0.0",
    "Docker 26.0.0 doesn't let apps ask the egress guard for names. Update Docker to 26.1.3 or newer.",
  ],
  ["26.1.2-1", expect.stringContaining("Docker 26.1.2-1")],
  ["26.1.3", undefined],
  ["26.1.20", undefined],
  ["28.0.0", undefined],
])("Docker %s: %s", async (Version, expected) => {
  const version = async () => ({ Version, Components: [{ Name: "Engine" }] });
  expect(await findUnfit({ version })).toEqual(expected);
});
