import { expect, test } from "vitest";
import { showDirectionMarks } from "./values";

test("direction marks are shown by their code; everything else stays as written", () => {
  expect(showDirectionMarks("photo\u202Egnp.exe")).toBe("photo[U+202E]gnp.exe");
  expect(showDirectionMarks("\u2066x\u2069")).toBe("[U+2066]x[U+2069]");
  for (const text of ["<b>bold</b>", "שלום\u200F!", "\u{1F600}", ""])
    expect(showDirectionMarks(text)).toBe(text);
});
