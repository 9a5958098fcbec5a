import { expect, test } from "vitest";
import { matchesKeys, type PressedKeys } from "./command";

const press = (key: string, code: string, held: Partial<PressedKeys> = {}): PressedKeys => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

test("Mod is Command on a Mac and Control elsewhere, without other modifiers", () => {
  const control = press("z", "KeyZ", { ctrlKey: true });
  const command = press("z", "KeyZ", { metaKey: true });
  expect([matchesKeys("Mod+Z", control, false), matchesKeys("Mod+Z", command, true)]).toEqual([true, true]);
  expect([matchesKeys("Mod+Z", control, true), matchesKeys("Mod+Z", command, false)]).toEqual([false, false]);
  expect(matchesKeys("Mod+Z", { ...control, shiftKey: true, key: "Z" }, false)).toBe(false);
  expect(matchesKeys("Mod+Shift+Z", { ...control, shiftKey: true, key: "Z" }, false)).toBe(true);
  expect(matchesKeys("Mod+Z", { ...control, altKey: true }, false)).toBe(false);
});

test("the typed letter counts, or the physical key if it types no Latin letter", () => {
  expect(matchesKeys("Mod+Z", press("z", "KeyW", { ctrlKey: true }), false)).toBe(true);
  expect(matchesKeys("Mod+Z", press("я", "KeyZ", { ctrlKey: true }), false)).toBe(true);
  expect(matchesKeys("Alt+1", press("¡", "Digit1", { altKey: true }), true)).toBe(true);
  expect(matchesKeys("Alt+Shift+S", press("Í", "KeyS", { altKey: true, shiftKey: true }), true)).toBe(true);
});

test("punctuation matches with and without Shift, and named keys match by name", () => {
  expect(matchesKeys("?", press("?", "Slash", { shiftKey: true }), false)).toBe(true);
  expect(matchesKeys("?", press("?", "Minus", { shiftKey: true }), false)).toBe(true);
  expect(matchesKeys("?", press("?", "Digit1"), false)).toBe(true);
  expect(matchesKeys("Mod+/", press("/", "Slash", { ctrlKey: true }), false)).toBe(true);
  expect(matchesKeys("F8", press("F8", "F8"), false)).toBe(true);
  expect(matchesKeys("Alt+ArrowUp", press("ArrowUp", "ArrowUp", { altKey: true }), false)).toBe(true);
  expect(matchesKeys("F8", press("F8", "F8", { shiftKey: true }), false)).toBe(false);
});
