import { expect, test } from "vitest";
import { chooseAddresses, createStateApi, recallContainerAddress } from "./addresses";

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

// Guarantee: a start while the engine is away keeps the state API where running containers look for it, instead of moving them to an address that
// they can't reach.
test("the last address is used again if this machine still has it", async () => {
  const known = { listen: "127.0.0.1", reach: "172.17.0.1", shared: true };
  expect(await recallContainerAddress({ containers: known })).toEqual(known);
  expect(await recallContainerAddress({})).toBeUndefined();
  // A bridge that is gone, as after a restart of the machine: of a range for documentation, which no machine has.
  expect(await recallContainerAddress({ containers: { ...known, listen: "203.0.113.7" } })).toBeUndefined();
});

// Guarantee: two listeners of one launch on the same port end the start with one message, instead of a part that never starts.
test.each([
  [{ PLATFORM_WORKER_PORT: "19211" }, "PLATFORM_GATEWAY_PORT and PLATFORM_WORKER_PORT both use port 19211"],
  [
    { PLATFORM_STATE_LISTEN: "0.0.0.0:19210" },
    "PLATFORM_WEB_PORT and PLATFORM_STATE_LISTEN both use port 19210",
  ],
  [{ PLATFORM_METRICS_PORT: "19209" }, "PLATFORM_WEB_PORT and PLATFORM_METRICS_PORT both use port 19210"],
])("%o is refused", async (settings, message) => {
  // Below the ports that the system gives to connections, so that nothing else uses them.
  const env = {
    NODE_ENV: "test",
    PLATFORM_WEB_PORT: "19210",
    PLATFORM_GATEWAY_PORT: "19211",
    ...settings,
  } as const;
  const choose = chooseAddresses({ env } as never, {} as never, undefined);
  await expect(choose).rejects.toMatchObject({ expected: true, message: expect.stringContaining(message) });
});
