import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DOCS_PARTS } from "@/lib/contract/platform/docs-pages";
import { ERROR_GROUPS } from "@/lib/contract/surface/error-codes";
import { headingId } from "@/lib/domain/surface/guide";

const text = await readFile(new URL("../../docs/guide/errors.md", import.meta.url), "utf8");

/** The entries of each group, by their headings, with their texts. */
const groups = text
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [head = "", ...entries] = section.split(/^### /m);
    const [title = ""] = head.split("\n", 1);
    return {
      title,
      entries: entries.map((entry) => {
        const [heading = "", ...lines] = entry.split("\n");
        return { heading, text: lines.join("\n").trim() };
      }),
    };
  });

// Guarantee: whoever meets a code finds its entry, under the heading that the link of the error names.
test("each code has one entry in its group, and each entry has a code", () => {
  expect(
    groups.map(({ title, entries }) => ({ title, entries: entries.map(({ heading }) => heading) })),
  ).toEqual(ERROR_GROUPS.map(({ title, codes }) => ({ title, entries: codes.map((code) => `\`${code}\``) })));
});

// Guarantee: each group is a page, at the address of its heading, and an old link to a heading still finds it.
test("the groups are the parts of the page", () => {
  expect(DOCS_PARTS.errors.map(({ title }) => title)).toEqual(ERROR_GROUPS.map(({ title }) => title));
  for (const { slug, title } of DOCS_PARTS.errors) expect(headingId(title)).toBe(slug);
});

test("each entry explains its code in a few sentences", () => {
  for (const { heading, text: explanation } of groups.flatMap(({ entries }) => entries)) {
    expect(explanation.length, heading).toBeGreaterThan(40);
    expect(explanation.length, heading).toBeLessThan(700);
  }
});
