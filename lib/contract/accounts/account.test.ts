import { expect, test } from "vitest";
import { email, organizationProfile } from "./account";

// Guarantee: people with names and domains of any script have accounts and invitations.
test.each([
  [" Maya@Harbor.Example ", "maya@harbor.example"],
  ["müller@bücher.example", "müller@xn--bcher-kva.example"],
  // The same name, with the accent as a character of its own.
  ["mu\u0308ller@BÜCHER.example", "müller@xn--bcher-kva.example"],
  ["用户@例子.测试", "用户@xn--fsqu00a.xn--0zwm56d"],
  ["o'neill+apps@a.co.uk", "o'neill+apps@a.co.uk"],
])("%s is an address", (typed, stored) => {
  expect(email.parse(typed)).toBe(stored);
});

test.each([
  "",
  "maya",
  "@a.example",
  "a@",
  "a@b",
  "a b@c.example",
  "a@b@c.example",
  "a..b@c.example",
  "a@127.0.0.1",
  "a@b.example/x",
  "a\r\nBcc: x@c.example",
  "\u202Ea@b.example",
])("%j is not an address", (typed) => {
  expect(email.safeParse(typed).success).toBe(false);
});

test("an organization's support address is as any other", () => {
  const parse = (supportAddress: string) =>
    organizationProfile.safeParse({ name: "Bücher", description: "", website: "", supportAddress });
  expect(parse("Hilfe@Bücher.example").data?.supportAddress).toBe("hilfe@xn--bcher-kva.example");
  expect(parse("").data?.supportAddress).toBe("");
  expect(parse("hilfe").error?.issues[0]?.message).toBe(
    "Enter an email address, such as support@company.com.",
  );
});

test("a long text is refused at once", () => {
  expect(email.safeParse(`${"a.".repeat(50_000)}@b.example`).success).toBe(false);
});
