import { expect, test } from "vitest";
import { waitsForEngine } from "./start-parts";
import { describeApps } from "./watch-engine";

// Guarantee: the terminal never claims isolation while an app runs as a process.
test("the terminal says what is so for the apps that run, not what the engine could do", () => {
  const containers = { runtime: "docker", count: 2 };
  const processes = { runtime: "process", count: 1 };
  expect(describeApps([containers], true)).toMatch(/^run in containers, isolated/);
  expect(describeApps([], true)).toMatch(/^run in containers, isolated/);
  expect(describeApps([processes], false)).toContain("without isolation (no container engine)");
  for (const running of [[processes], [processes, containers]])
    expect(describeApps(running, true)).toMatch(/^run as plain processes without isolation: 1 of [13]/);
});

// Guarantee: an engine that was away at a start in production and comes back is used, with a state API that containers reach.
test("a platform without an address for containers waits for an engine, in production too", () => {
  expect(waitsForEngine({ NODE_ENV: "production" }, { stateListen: "" })).toBe(true);
  expect(waitsForEngine({ NODE_ENV: "production" }, { stateListen: "172.17.0.1:4001" })).toBe(false);
  expect(waitsForEngine({ NODE_ENV: "production", PLATFORM_RUNTIME: "process" }, { stateListen: "" })).toBe(
    false,
  );
});
