import { expect, test } from "vitest";
import { whyForbidden } from "@/lib/domain/platform/address";
import { CoreAddressError, resolveAllowed } from "./core-agent";

const rows: [address: string, allowed: boolean, allowedWithPrivateCores: boolean][] = [
  ["93.184.216.34", true, true],
  ["2606:4700::1111", true, true],
  ["127.0.0.1", false, true],
  ["127.9.9.9", false, true],
  ["2130706433", false, true],
  ["0x7f000001", false, true],
  ["::1", false, true],
  ["::ffff:127.0.0.1", false, true],
  ["::ffff:7f00:1", false, true],
  ["10.0.0.1", false, true],
  ["172.16.3.4", false, true],
  ["192.168.1.1", false, true],
  ["100.64.0.1", false, true],
  ["fd12::1", false, true],
  ["169.254.169.254", false, false],
  ["::ffff:169.254.169.254", false, false],
  ["2852039166", false, false],
  ["fe80::1", false, false],
  ["fd00:ec2::254", false, false],
  ["100.100.100.200", false, false],
  ["168.63.129.16", false, false],
  ["0.0.0.0", false, false],
  ["::", false, false],
  ["255.255.255.255", false, false],
  ["224.0.0.1", false, false],
  ["ff02::1", false, false],
  ["64:ff9b::7f00:1", false, false],
  ["2002:7f00:1::", false, false],
  ["2001::1", false, false],
  ["::127.0.0.1", false, true],
  ["240.0.0.1", false, false],
  ["not-an-address", false, false],
];

// Guarantee: nobody can point the platform at its own machine, a private network, or a cloud's metadata service.
test.each(rows)("%s", (address, allowed, allowedWithPrivateCores) => {
  expect(whyForbidden(address, false) === undefined).toBe(allowed);
  expect(whyForbidden(address, true) === undefined).toBe(allowedWithPrivateCores);
});

// Guarantee: a host is checked in every notation, and a name by the addresses it resolves to.
test.each([
  "127.0.0.1",
  "2130706433",
  "0x7f.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "localhost",
  "169.254.169.254",
])("the host %s is refused", async (host) => {
  await expect(resolveAllowed(host, false)).rejects.toThrow(CoreAddressError);
});
