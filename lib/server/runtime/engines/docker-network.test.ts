import Docker from "dockerode";
import { expect, test } from "vitest";
import { createAppNetwork, findOrigin, takeSubnets } from "./docker-network";

const take = (count: number, next: () => string) => Array.from({ length: count }, next);

test("a subnet comes back only after all others of the pool", () => {
  const next = takeSubnets(
    "10.213.0.0/24",
    () => [],
    () => 30,
  );
  const all = take(32, next);
  expect(all.slice(0, 3)).toEqual(["10.213.0.240/29", "10.213.0.248/29", "10.213.0.0/29"]);
  expect(new Set(all).size).toBe(32);
  expect(next()).toBe(all[0]);
});

test("subnets that overlap with a network of this machine are left out", () => {
  const next = takeSubnets(
    "10.213.0.0/24",
    () => ["10.213.0.130/25", "::1/128", "192.168.1.20/24"],
    () => 15,
  );
  expect(take(3, next)).toEqual(["10.213.0.120/29", "10.213.0.0/29", "10.213.0.8/29"]);
});

test("a pool within a network of this machine is refused with the setting to change", () => {
  const next = takeSubnets("10.213.0.0/16", () => ["10.8.0.6/8"]);
  expect(next).toThrow(/10\.213\.0\.0\/16.*overlap with a network of this machine.*PLATFORM_APP_SUBNETS/);
});

/** An engine that fails to create networks with these errors, in this order, and then succeeds. */
function engineThatRefuses(errors: string[]) {
  const docker = new Docker();
  const asked: (string | undefined)[] = [];
  docker.createNetwork = async (options?: Docker.NetworkCreateOptions) => {
    asked.push(options?.IPAM?.Config?.[0]?.Subnet);
    const error = errors.shift();
    if (error !== undefined) throw new Error(error);
    return docker.getNetwork("created");
  };
  return { docker, asked };
}

test("a subnet that another network on the engine has is skipped, and other errors are passed on", async () => {
  const { docker, asked } = engineThatRefuses([
    "(HTTP code 403) forbidden - Pool overlaps with other one on this address space",
    "subnet 10.213.0.8/29 is already used on the host or by another config",
  ]);
  const next = takeSubnets(
    "10.213.0.0/24",
    () => [],
    () => 0,
  );
  await createAppNetwork(docker, "10.213.0.0/24", next, { Name: "app" });
  expect(asked).toEqual(["10.213.0.0/29", "10.213.0.8/29", "10.213.0.16/29"]);

  const broken = engineThatRefuses(["no space left on device"]);
  await expect(createAppNetwork(broken.docker, "10.213.0.0/24", next, { Name: "app" })).rejects.toThrow(
    "no space",
  );
});

test("an engine that has no free subnet is an error that names the setting", async () => {
  const { docker, asked } = engineThatRefuses(Array<string>(100).fill("Pool overlaps"));
  const next = takeSubnets("10.213.0.0/16");
  await expect(createAppNetwork(docker, "10.213.0.0/16", next, { Name: "app" })).rejects.toThrow(
    "Set PLATFORM_APP_SUBNETS",
  );
  expect(asked).toHaveLength(64);
});

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
