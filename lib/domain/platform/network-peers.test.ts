import { expect, test } from "vitest";
import { parsePeers } from "./network-peers";

test("addresses and Pods are read, with and without a port", () => {
  expect(parsePeers("10.1.2.0/24, 10.1.2.3:443")).toEqual([
    { to: { cidr: "10.1.2.0/24" } },
    { to: { cidr: "10.1.2.3/32" }, port: 443 },
  ]);
  expect(parsePeers("platform/app.kubernetes.io/component=gateway:4001")).toEqual([
    {
      to: { namespace: "platform", label: { name: "app.kubernetes.io/component", value: "gateway" } },
      port: 4001,
    },
  ]);
  expect(parsePeers("")).toEqual([]);
});

test.each(["gateway", "10.1.2", "10.1.2.0/33", "300.1.1.1", "platform/gateway", "10.1.2.3:70000", "::/0"])(
  "%j is refused",
  (list) => {
    expect(parsePeers(list)).toBeUndefined();
  },
);
