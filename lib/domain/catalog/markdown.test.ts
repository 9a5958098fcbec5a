import { expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { summarizeMarkdown } from "./markdown";

// Guarantee: a card shows words, never source.
test.each([
  ["<script>alert(1)</script>\n\n| Plan | Price |\n| --- | ---: |\n| Basic | $5 |", "Plan Price Basic $5"],
  ["# VIN autofill\n\nLooks up **a VIN** and _fills_ `make`.", "VIN autofill Looks up a VIN and fills make."],
  ["- one\n- [x] two\n1. three\n> four\n\n---\n***\nfive", "one two three four five"],
  [
    "See [the docs](https://acme.example/docs) ![a picture](x.png) [more][1].\n\n[1]: https://x",
    "See the docs a picture more.",
  ],
  ["Text\n```js\nconst x = 1;\n```\nafter", "Text after"],
  ["<b>Bold</b><br>line &amp; more <img src=x onerror=alert(1)>", "Bold line & more"],
  ["<!-- hidden --> shown <style>p { color: red }</style>", "shown"],
  ["<script>never closed", ""],
  ["open <a href=", "open"],
  ["snake_case stays, 2 * 3 < 7, a \\*star\\*", "snake_case stays, 2 3 < 7, a *star*"],
  ["Mail <mailto:help@acme.example>", "Mail mailto:help@acme.example"],
  ["Title\n=====\n\ntext", "Title text"],
  ["", ""],
])("%j is summarized as %j", (markdown, summary) => {
  expect(summarizeMarkdown(markdown)).toBe(summary);
});

test("a long text is cut after a word", () => {
  expect(summarizeMarkdown("word ".repeat(100), 22)).toBe("word word word word…");
  expect(summarizeMarkdown("x".repeat(100), 20)).toHaveLength(11);
});

test("hostile source takes no time", async () => {
  for (const part of ["<", "<a ", "[", "![](", "<!--", "<script", "_", "> ", "[a][", "&amp", "`", "|-"]) {
    const source = part.repeat(100_000);
    expect(await cpuTime(() => summarizeMarkdown(source)), part).toBeLessThan(1_000);
  }
});
