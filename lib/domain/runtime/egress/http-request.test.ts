import fc from "fast-check";
import { expect, test } from "vitest";
import { passHeaders, readRequestHost } from "./http-request";

const read = (
  rawHeaders: string[],
  { port = 80, method = "GET", target = "/v1", httpVersion = "1.1" } = {},
) => readRequestHost({ method, target, httpVersion, rawHeaders }, port);

test("the Host says where a request leads", () => {
  expect(read(["Host", "api.example.com"])).toEqual({ name: "api.example.com" });
  expect(read(["hOST", "API.Example.COM."])).toEqual({ name: "api.example.com" });
  expect(read(["Host", "api.example.com:80"])).toEqual({ name: "api.example.com" });
  expect(read(["Host", "core.internal:4010"], { port: 4010 })).toEqual({ name: "core.internal" });
  expect(read(["Host", "xn--bcher-kva.example"])).toEqual({ name: "xn--bcher-kva.example" });
});

const H = ["Host", "api.example.com"];
const refusals: [what: string, headers: string[], options?: Parameters<typeof read>[1]][] = [
  ["no Host", []],
  ["an empty Host", ["Host", ""]],
  ["two Hosts", [...H, "host", "evil.example"]],
  ["the same Host twice", [...H, ...H]],
  ["an address as Host", ["Host", "127.0.0.1"]],
  ["an address in another form", ["Host", "0x7f000001"]],
  ["an IPv6 address", ["Host", "[::1]"]],
  ["a Host with a user", ["Host", "api.example.com@evil.example"]],
  ["a list of Hosts", ["Host", "api.example.com, evil.example"]],
  ["another port", ["Host", "api.example.com:8080"]],
  ["a Host in Unicode", ["Host", "bücher.example"]],
  ["CONNECT", H, { method: "CONNECT", target: "evil.example:443" }],
  ["an absolute target", H, { target: "http://evil.example/" }],
  ["a target that is a host", H, { target: "evil.example:443" }],
  ["a length and a coding", [...H, "Content-Length", "4", "Transfer-Encoding", "chunked"]],
  ["two lengths", [...H, "Content-Length", "4", "Content-Length", "4"]],
  ["a signed length", [...H, "Content-Length", "+4"]],
  ["a list of lengths", [...H, "Content-Length", "4, 4"]],
  ["an unknown coding", [...H, "Transfer-Encoding", "xchunked"]],
  ["two codings", [...H, "Transfer-Encoding", "gzip, chunked"]],
  ["a coding with a tab", [...H, "Transfer-Encoding", "\tchunked"]],
  ["chunks in HTTP/1.0", [...H, "Transfer-Encoding", "chunked"], { httpVersion: "1.0" }],
  ["an upgrade", [...H, "Connection", "Upgrade", "Upgrade", "websocket"]],
  ["an upgrade to HTTP/2", [...H, "Upgrade", "h2c", "HTTP2-Settings", "AAMAAABk"]],
];

test.each(refusals)("%s is refused", (_, headers, options) => {
  expect(read(headers, options)).toEqual({ refused: expect.any(String), status: expect.any(Number) });
});

test("headers of one connection are not passed on, and Host and length can't be made such", () => {
  const passed = passHeaders([
    ...["Host", "api.example.com", "Connection", "close, X-Mine, Host, Content-Length", "X-Mine", "1"],
    ...["Content-Length", "4", "TE", "trailers", "Proxy-Authorization", "x", "Accept", "a", "Accept", "b"],
  ]);
  expect(passed).toEqual(["Host", "api.example.com", "Content-Length", "4", "Accept", "a", "Accept", "b"]);
});

test("a Host that is accepted is a name that no reader takes for something else", () => {
  const hostLike = fc.string({ unit: fc.constantFrom(..."aA0x.-_:@ [],/\\%#?\t1"), maxLength: 20 });
  fc.assert(
    fc.property(fc.oneof(hostLike, fc.string()), fc.constantFrom(80, 8080), (host, port) => {
      const found = read(["Host", host], { port });
      if (!("name" in found)) return;
      const url = new URL(`http://${host}/`);
      expect(url.hostname.replace(/\.$/, "")).toBe(found.name);
      expect(Number(url.port || 80)).toBe(port);
    }),
    { numRuns: 2_000 },
  );
});
