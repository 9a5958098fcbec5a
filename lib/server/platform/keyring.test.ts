import { expect, test } from "vitest";
import { newMasterKey, readKeyring } from "./keyring";

const KEY = newMasterKey("a");

// Guarantee: the first key encrypts, all of them decrypt.
test("keys are read in order", () => {
  const { current, byId } = readKeyring(` ${KEY} , ${newMasterKey("b")}`);
  expect(current.id).toBe("a");
  expect([...byId.keys()]).toEqual(["a", "b"]);
  expect(byId.get("a")).toBe(current);
});

// Guarantee: nothing starts with keys that can't decrypt what they encrypt, and no message contains a key.
test.each([
  ["nothing", ""],
  ["no id", KEY.slice(2)],
  ["an empty id", KEY.slice(1)],
  ["a truncated key", KEY.slice(0, -4)],
  ["a comma at the end", `${KEY},`],
  ["two keys with one id", `${KEY},${newMasterKey("a")}`],
  ["one key twice", `${KEY},${KEY}`],
])("%s is refused", (_what, text) => {
  expect(() => readKeyring(text)).toThrow(/^PLATFORM_MASTER_KEYS: each key/);
  expect(() => readKeyring(text)).not.toThrow(KEY.slice(2, 12));
});
