import { expect, test } from "vitest";
import { newMasterKey, readKeyring } from "./keyring";

const KEY = newMasterKey("a");

// Guarantee: the first key seals, all of them open.
test("keys are read in their order", () => {
  const { current, byId } = readKeyring(` ${KEY} , ${newMasterKey("b")}`);
  expect(current.id).toBe("a");
  expect([...byId.keys()]).toEqual(["a", "b"]);
  expect(byId.get("a")).toBe(current);
});

// Guarantee: nothing starts with keys that would not open what they seal, and no message tells a key.
test.each([
  ["nothing", ""],
  ["no id", KEY.slice(2)],
  ["an empty id", KEY.slice(1)],
  ["a key cut short", KEY.slice(0, -4)],
  ["a comma at the end", `${KEY},`],
  ["two keys of one id", `${KEY},${newMasterKey("a")}`],
  ["one key twice", `${KEY},${KEY}`],
])("%s is refused", (_what, text) => {
  expect(() => readKeyring(text)).toThrow(/^PLATFORM_MASTER_KEYS: each key/);
  expect(() => readKeyring(text)).not.toThrow(KEY.slice(2, 12));
});
