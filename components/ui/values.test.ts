import { expect, test } from "vitest";
import { createElement } from "react";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import { showMarks } from "./values";

test("direction marks are shown by their code; everything else stays as written", () => {
  expect(showDirectionMarks("photo\u202Egnp.exe")).toBe("photo[U+202E]gnp.exe");
  expect(showDirectionMarks("\u2066x\u2069")).toBe("[U+2066]x[U+2069]");
  for (const text of ["<b>bold</b>", "שלום\u200F!", "\u{1F600}", ""])
    expect(showDirectionMarks(text)).toBe(text);
});

test("a name within a text of ours is shown the same way, and elements stay as they are", () => {
  const icon = createElement("i");
  expect(showMarks("Report \u202Eabc")).toBe("Report [U+202E]abc");
  expect(showMarks(["Back to ", "\u202Eabc"])).toEqual(["Back to ", "[U+202E]abc"]);
  const plain = ["Back to ", icon];
  expect(showMarks(plain)).toBe(plain);
  expect(showMarks(icon)).toBe(icon);
});
