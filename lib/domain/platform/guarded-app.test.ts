import { expect, test } from "vitest";
import {
  isAskedThroughGuard,
  looksLikeNamedAddress,
  nameAddress,
  nameCoreUrl,
  nameStateApi,
} from "./guarded-app";

test("only an address gets a name, and everything else of the URL stays as it is", () => {
  expect(nameCoreUrl("http://172.17.0.1:4010/tenants/harbor.core.example")).toBe(
    "http://172-17-0-1.core.internal:4010/tenants/harbor.core.example",
  );
  for (const url of [
    "https://core.example/api",
    "http://1.2.3.4.example/",
    "http://10.0.0.1.:80/",
    "http://localhost.example:4010",
    "https://core.example/?next=http://10.0.0.1",
  ])
    expect(nameCoreUrl(url)).toBe(url);
  for (const host of ["core.example", "10.0.0", "[fd00::5", "[]", "[1:2:3:4:5:6:7:8:9]"])
    expect(nameAddress(host)).toBeUndefined();
  for (const host of ["10.0.0.1", "[fd00::5]", "localhost"])
    for (const isTls of [false, true])
      expect(looksLikeNamedAddress(nameAddress(host, isTls)?.name ?? "")).toBe(true);
  expect(looksLikeNamedAddress("prod.core.internal")).toBe(false);
});

test("with HTTPS, the name is another one, and the app speaks HTTP to the guard on the core's port", () => {
  expect(nameCoreUrl("https://10.1.2.3:8443/api")).toBe("http://tls-10-1-2-3.core.internal:8443/api");
  expect(nameCoreUrl("https://10.0.0.1")).toBe("http://tls-10-0-0-1.core.internal:443");
  expect(nameCoreUrl("https://10.0.0.1/api")).toBe("http://tls-10-0-0-1.core.internal:443/api");
  expect(nameAddress("10.1.2.3", true)).toEqual({ name: "tls-10-1-2-3.core.internal", address: "10.1.2.3" });
});

test("what an app can't reach gets a name, too, so that the guard sees the attempt and says why it fails", () => {
  expect(nameCoreUrl("http://localhost:9000")).toBe("http://127-0-0-1.core.internal:9000");
  expect(nameCoreUrl("http://core.localhost:9000")).toBe("http://127-0-0-1.core.internal:9000");
  expect(nameCoreUrl("http://[fd00::5]:8080/v1")).toBe("http://fd00-0-0-0-0-0-0-5.core.internal:8080/v1");
  expect(nameAddress("[::1]")).toEqual({ name: "0-0-0-0-0-0-0-1.core.internal", address: "0:0:0:0:0:0:0:1" });
});

test("a request of an app behind the guard names the guard's address and port, or what only the guard answers", () => {
  expect(isAskedThroughGuard("10.213.4.3:61001")).toBe(true);
  expect(isAskedThroughGuard(new URL(nameStateApi("http://platform-state.platform.svc:4001")).host)).toBe(
    true,
  );
  expect(isAskedThroughGuard(new URL(nameStateApi("http://10.96.0.7")).host)).toBe(true);
  for (const host of [
    undefined,
    "",
    "172.17.0.1:4001",
    "platform-state.platform.svc:4001",
    "a.state.platform.internal:4001",
    "gateway.example:61001",
    "10.213.4.3",
    "10.213.4.3:610012",
  ])
    expect(isAskedThroughGuard(host)).toBe(false);
});
