import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { summarizeMarkdown } from "@/lib/domain/catalog/markdown";
import { Markdown } from "./markdown";

/** The longest text that a publisher can write. */
const LENGTH = 10_000;
const repeated = (part: string) => part.repeat(LENGTH / part.length);
const nested = (open: string, close: string) => {
  const levels = Math.floor(LENGTH / (open + close).length);
  return open.repeat(levels) + close.repeat(levels);
};
const deeper = (marker: string) =>
  Array.from({ length: 95 }, (_, level) => `${"  ".repeat(level)}${marker} a`).join("\n");

// Guarantee: no text keeps a page from being drawn, or the server busy: moderators read it before anybody decided about it.
test.each<[string, string]>([
  ...[
    ">",
    "> ",
    "1. ",
    "- > ",
    "\n\n> - ",
    "> 1. > - ",
    "  - a\n",
    "*",
    "**a ",
    "*a_ ",
    "[",
    "[a](",
    "<a ",
    "``a",
    "|a",
    "a@b.",
  ].map((part): [string, string] => [`${JSON.stringify(part)}, repeated`, repeated(part)]),
  ["emphasis in emphasis", nested("*(", ")*")],
  ["emphasis in strong text", nested("*a **b ", "c** d*")],
  ["struck out in struck out", nested("~~a *b ", "c* d~~")],
  ["pictures in pictures", nested("![", "](a)")],
  ["a list in a list", deeper("-")],
  ["a quote in a quote", deeper(">")],
])("%s is drawn", { timeout: 60_000 }, (_what, text) => {
  const started = process.cpuUsage();
  expect(renderToStaticMarkup(<Markdown>{text}</Markdown>)).toContain("<div");
  expect(summarizeMarkdown(text).length).toBeLessThan(300);
  // Of processor time, in microseconds: a busy machine changes little about it.
  const { user, system } = process.cpuUsage(started);
  expect(user + system).toBeLessThan(4_000_000);
});

test("a link in a quote in a list in a quote stays one", () => {
  const html = renderToStaticMarkup(
    <Markdown>{"> - > [deep](https://acme.example)\n\n12. twelve\n\n* * *"}</Markdown>,
  );
  const found = html.match(/<(blockquote|ul|a|ol|hr)\b/g);
  expect(found).toEqual(["<blockquote", "<ul", "<blockquote", "<a", "<ol", "<hr"]);
});
