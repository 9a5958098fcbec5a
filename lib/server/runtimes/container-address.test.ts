import { expect, test } from "vitest";
import { findOrigin } from "./container-address";

/** Nothing listens at the app's port of these loopback addresses, so connections are refused. */
const NETWORK = { IPAddress: "127.0.0.77", Gateway: "127.0.0.78" };

test("a container on a bridge of this machine is reached at its own address", async () => {
  expect(await findOrigin([NETWORK], "49153", new Set([NETWORK.Gateway]))).toBe("http://127.0.0.77:8080");
});

// Guarantee: no call goes to an address that belongs to something else on this machine.
test("a container of an engine elsewhere is reached at its published port", async () => {
  expect(await findOrigin([NETWORK], "49153", new Set(["127.0.0.1"]))).toBe("http://127.0.0.1:49153");
  expect(await findOrigin([], "49153")).toBe("http://127.0.0.1:49153");
});

test("a bridge that lets no connection pass is not used", async () => {
  // The system refuses to connect to a broadcast address.
  const closed = { IPAddress: "255.255.255.255", Gateway: "127.0.0.78" };
  expect(await findOrigin([closed], "49153", new Set([closed.Gateway]))).toBe("http://127.0.0.1:49153");
});
