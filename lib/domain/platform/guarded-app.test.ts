import { expect, test } from "vitest";
import { isAskedThroughGuard, looksLikeNamedAddress, nameAddress, nameCoreUrl } from "./guarded-app";

test("only an address gets a name, and everything else of the URL stays as it is", () => {
  expect(nameCoreUrl("http://172.17.0.1:4010/tenants/harbor.core.example")).toBe(
    "http://172-17-0-1.core.internal:4010/tenants/harbor.core.example",
  );
  expect(nameCoreUrl("https://10.0.0.1")).toBe("https://10-0-0-1.core.internal");
  for (const url of [
    "https://core.example/api",
    "http://1.2.3.4.example/",
    "http://10.0.0.1.:80/",
    "http://[::1]:4010",
    "http://localhost:4010",
    "https://core.example/?next=http://10.0.0.1",
  ])
    expect(nameCoreUrl(url)).toBe(url);
  expect([nameAddress("core.example"), nameAddress("10.0.0")]).toEqual([undefined, undefined]);
  expect(looksLikeNamedAddress(nameAddress("10.0.0.1") ?? "")).toBe(true);
  expect(looksLikeNamedAddress("prod.core.internal")).toBe(false);
});

test("a request that came through the guard names the guard's address and port", () => {
  expect(isAskedThroughGuard("10.213.4.3:61001")).toBe(true);
  for (const host of [
    undefined,
    "",
    "172.17.0.1:4001",
    "gateway.example:61001",
    "10.213.4.3",
    "10.213.4.3:610012",
  ])
    expect(isAskedThroughGuard(host)).toBe(false);
});
