import { expect, test } from "vitest";
import { httpsUrl, parseHttpsUrl } from "./listing";

// Guarantee: a publisher's link leads to a public website, and says which.
test.each([
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "http://acme.example",
  "//acme.example",
  "acme.example",
  "https://bank.example@evil.example/",
  "https://:secret@evil.example/",
  "https://bank.example\\@evil.example/",
  "https://localhost/",
  "https://intranet/",
  "https://127.0.0.1/",
  "https://0x7f.1/",
  "https://[::1]/",
  "https://acme.example/\u202egpj.exe",
  "https://ac\tme.example/",
  `https://acme.example/${"a".repeat(500)}`,
])("refuses %j", (text) => {
  expect(parseHttpsUrl(text)).toBeUndefined();
  expect(httpsUrl.safeParse(text).success).toBe(false);
});

test("a host name in another alphabet shows as punycode", () => {
  expect(parseHttpsUrl("https://\u0430cme.example/help?q=1#top")?.hostname).toBe("xn--cme-5cd.example");
  expect(httpsUrl.parse(" https://acme.example/help ")).toBe("https://acme.example/help");
});
