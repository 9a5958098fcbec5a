import { expect, test } from "vitest";
import { explainListening } from "./explain-listening";

const explain = (...listeners: [port: number, loopback: boolean][]) =>
  explainListening({ port: 8080, listeners: listeners.map(([port, loopback]) => ({ port, loopback })) });

// Guarantee: a wrong port, a loopback listener and no listener each have their own reason and fix.
test("each mistake has its own reason", () => {
  expect(explain()).toMatch(/doesn't listen on any port.*PLATFORM_PORT/);
  expect(explain([8080, true])).toMatch(/listens on 127.0.0.1.*must listen on 0.0.0.0/);
  expect(explain([3000, false])).toMatch(
    /listens on port 3000, not on the port in PLATFORM_PORT, which is 8080/,
  );
  expect(explain([9229, true], [3000, false], [3000, true])).toMatch(/listens on the ports 3000, 9229/);
});

test("an app that listens as it must has none, whatever else it listens on", () => {
  expect(explain([8080, false])).toBeUndefined();
  expect(explain([9229, true], [8080, true], [8080, false])).toBeUndefined();
});
