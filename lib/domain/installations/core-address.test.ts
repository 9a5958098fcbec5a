import { expect, test } from "vitest";
import { explainUnreachable } from "./core-address";

const explain = (url: string, addresses: string[], bridge: string | undefined = "172.17.0.1") =>
  explainUnreachable({ url, addresses, bridge });

test.each([
  ["http://127.0.0.1:9000", ["127.0.0.1"]],
  ["http://localhost:9000", ["127.0.0.1", "::1"]],
  ["http://[::1]:9000", ["::1"]],
  ["http://core.test:9000", ["127.0.1.1"]],
])("%s is the app's own container, so the machine's address is entered instead", (url, addresses) => {
  const { hostname } = new URL(url);
  expect(explain(`${url}/tenants/one`, addresses)).toBe(
    `In an app's container, ${hostname} is the container itself. Let the core also listen on 172.17.0.1, and enter http://172.17.0.1:9000/tenants/one.`,
  );
});

test("where nobody knows the machine's address, it is described", () => {
  const said = explainUnreachable({
    url: "https://localhost",
    addresses: ["127.0.0.1"],
    bridge: undefined,
  });
  expect(said).toMatch(
    /Let the core also listen on an address that other machines reach, and enter that one\.$/,
  );
  expect(explain("https://localhost", ["127.0.0.1"])).toMatch(/ enter https:\/\/172\.17\.0\.1\.$/);
});

test.each([
  ["http://[fd00::5]:8080", ["fd00::5"]],
  ["https://six.example", ["2001:db8::1", "2001:db8::2"]],
])("%s has no IPv4, and apps have no IPv6", (url, addresses) => {
  expect(explain(url, addresses)).toBe(
    `Apps' containers have no IPv6, and ${new URL(url).hostname} has no IPv4 address. Enter a host name or an address with IPv4.`,
  );
});

test.each([
  ["https://10.1.2.3:8443", ["10.1.2.3"]],
  ["http://172.17.0.1:4010", ["172.17.0.1"]],
  ["https://core.example", ["2001:db8::1", "203.0.113.7"]],
  ["https://mixed.example", ["127.0.0.1", "203.0.113.7"]],
  ["http://[::ffff:a01:203]", ["::ffff:10.1.2.3"]],
  ["https://nowhere.example", []],
])("nothing speaks against %s", (url, addresses) => {
  expect(explain(url, addresses)).toBeUndefined();
});
