import fc from "fast-check";
import { expect, test } from "vitest";
import { mappingField } from "@/lib/contract/manifest";
import { deriveName, deriveValue, followTitle, isDerivedValue } from "./follow-text";

test.each([
  ["API key", "apiKey"],
  ["VIN field", "vinField"],
  ["Région d'été", "regionDEte"],
  ["2nd driver", "ndDriver"],
  ["2 drivers", "drivers"],
  ["42", ""],
  ["Choice", "choice"],
  ["地域", ""],
  ["", ""],
])("the title %j makes the name %j", (title, name) => {
  expect(deriveName(title)).toBe(name);
});

test("a name follows its title, keystroke by keystroke, through an empty title", () => {
  let entry = { name: "choice", title: "Choice" };
  for (const title of ["Choic", "", "A", "API", "API key", "地域", "Region"]) {
    const name = followTitle(entry, title, "choice", ["region"]);
    entry = { name: name ?? "not followed", title };
  }
  expect(entry.name).toBe("region2");
});

test("an edited name stays, and an emptied one follows again", () => {
  expect(followTitle({ name: "key", title: "API key" }, "Secret", "text", [])).toBeUndefined();
  expect(followTitle({ name: "apiKeyOld", title: "API key" }, "Secret", "text", [])).toBeUndefined();
  expect(followTitle({ name: 7, title: "API key" }, "Secret", "text", [])).toBeUndefined();
  expect(followTitle({ name: "", title: "API key" }, "Secret", "text", [])).toBe("secret");
});

test("every title makes a valid name that is not taken", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.boolean(), (title, isTaken) => {
      const base = followTitle({ name: "", title: "" }, title, "field", []) ?? "";
      const name = followTitle({ name: "", title: "" }, title, "field", isTaken ? [base] : []) ?? "";
      expect(mappingField.safeParse({ name, title: "T" }).success).toBe(true);
      expect(name === base).toBe(!isTaken);
    }),
  );
  expect(followTitle({ name: "", title: "" }, "Constructor", "field", [])).toBe("constructor2");
});

test("a value made from its text is recognized, with the number that made it unique", () => {
  expect(deriveValue("North America")).toBe("north-america");
  expect(isDerivedValue("north-america-2", "North America")).toBe(true);
  expect(isDerivedValue("", "")).toBe(true);
  expect(isDerivedValue("us", "North America")).toBe(false);
  expect(isDerivedValue("", "None")).toBe(false);
});
