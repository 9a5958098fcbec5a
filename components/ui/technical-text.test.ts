import { expect, test } from "vitest";
import { shortenIds } from "./technical-text";

test("digests and ids keep both ends, and the text around them stays", () => {
  expect(shortenIds(`sha256:${"0123456789abcdef".repeat(4)}`)).toBe("sha256:01234567…abcdef");
  expect(shortenIds("http://127.0.0.1:4000/r/0193b1c2-0000-7000-8000-0000000a1b2c")).toBe(
    "http://127.0.0.1:4000/r/0193b1c2…0a1b2c",
  );
  expect(shortenIds("https://core.example/tenants/harbor")).toBe("https://core.example/tenants/harbor");
});
