import { expect, test } from "vitest";
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
