import { expect, test } from "vitest";
import { withMarksShown } from "./user-text";

test("marks that turn the text are shown by their code; all else is as written", () => {
  expect(withMarksShown("photo\u202Egnp.exe")).toBe("photo[U+202E]gnp.exe");
  expect(withMarksShown("\u2066x\u2069")).toBe("[U+2066]x[U+2069]");
  for (const text of ["<b>bold</b>", "שלום\u200F!", "\u{1F600}", ""]) expect(withMarksShown(text)).toBe(text);
});
