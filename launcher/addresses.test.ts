import { expect, test } from "vitest";
import { createStateApi } from "./addresses";

// Guarantee: containers get the address on which the state API listens, whoever chose it.
test.each([
  ["10.0.0.5:4001", { reach: "172.17.0.1" }, "http://10.0.0.5:4001"],
  ["0.0.0.0:4001", { reach: "172.17.0.1" }, "http://172.17.0.1:4001"],
  ["127.0.0.1:4001", { reach: "host.docker.internal" }, "http://host.docker.internal:4001"],
  ["0.0.0.0:4001", undefined, ""],
  ["", undefined, ""],
])("for a listener on %s, containers get the right address", (listen, container, expected) => {
  expect(createStateApi(listen, container)).toBe(expected);
});
