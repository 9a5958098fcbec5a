import { expect, test } from "vitest";
import { createSearch, type Cut } from "./search-forms";

const words = (length: number): string[] =>
  length === 0 ? [""] : words(length - 1).flatMap((word) => [`${word}a`, `${word}b`]);
const upTo = (length: number): string[] =>
  Array.from({ length: length + 1 }, (_, each) => words(each)).flat();

/** The expected result, character by character: everything that a form covers, and the longest part at a cut. */
function covered(text: string, forms: readonly string[], cut: Cut | undefined): string {
  const taken = [...text].map(() => false);
  for (const form of forms) {
    for (let at = 0; at < text.length; at += 1)
      if (text.startsWith(form, at)) taken.fill(true, at, at + form.length);
    for (let length = 1; length < form.length; length += 1) {
      if (cut === "start" && text.startsWith(form.slice(-length))) taken.fill(true, 0, length);
      if (cut === "end" && text.endsWith(form.slice(0, length))) taken.fill(true, text.length - length);
    }
  }
  return taken.map((each) => (each ? "x" : ".")).join("");
}

function found(text: string, forms: readonly string[], cut: Cut | undefined): string {
  const search = createSearch(text, cut);
  for (const form of forms) search.find({ text: form, hasEdges: false }, form);
  const taken = [...text].map(() => ".");
  for (const { start, end, name } of search.matches()) {
    if (name !== "") expect(text.slice(start, end)).toBe(name);
    taken.fill("x", start, end);
  }
  return taken.join("");
}

// Guarantee: for every short text and form, the search finds what a plain search finds.
test.each<Cut | undefined>([undefined, "start", "end"])(
  "the same as the plain search, cut at the %s",
  (cut) => {
    for (const text of upTo(6))
      for (const form of upTo(4).slice(1))
        for (const forms of [[form], [form, "aba"], ["bb", form]])
          if (found(text, forms, cut) !== covered(text, forms, cut))
            expect.fail(`${forms.join(", ")} in ${text}: ${found(text, forms, cut)}`);
  },
);
