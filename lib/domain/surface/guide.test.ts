import { expect, test } from "vitest";
import { headingId, parseFence, parseGuide, readRegion, withoutRegionMarks } from "./guide";

const PAGE = `---
title: Get started
summary: "From nothing: to an app"
---

Install it.

## 1. Install the \`platform-app\` tool

\`\`\`sh run exit=4 tab="On a Mac"
platform-app validate

# not a heading
\`\`\`

Keep the key secret.

1. Send a call:

   \`\`\`sh
   platform-app call
   \`\`\`

### \`BAD_INPUT\`
## Same
## Same
`;

test("a page is a title, a summary, and blocks with their lines", () => {
  const { title, summary, blocks } = parseGuide(PAGE);
  expect([title, summary]).toEqual(["Get started", "From nothing: to an app"]);
  expect(blocks).toEqual([
    { kind: "text", line: 6, markdown: "Install it." },
    {
      kind: "heading",
      line: 8,
      level: 2,
      text: "1. Install the `platform-app` tool",
      id: "1-install-the-platform-app-tool",
    },
    {
      kind: "fence",
      line: 10,
      fence: { language: "sh", words: ["run"], attributes: { exit: "4", tab: "On a Mac" } },
      code: "platform-app validate\n\n# not a heading",
    },
    {
      kind: "text",
      line: 16,
      markdown: "Keep the key secret.\n\n1. Send a call:\n\n   ```sh\n   platform-app call\n   ```",
    },
    { kind: "heading", line: 24, level: 3, text: "`BAD_INPUT`", id: "BAD_INPUT" },
    { kind: "heading", line: 25, level: 2, text: "Same", id: "same" },
    { kind: "heading", line: 26, level: 2, text: "Same", id: "same-1" },
  ]);
});

test("a fence that isn't closed reaches the end of the page", () => {
  expect(parseGuide("```json\n{}\n")).toMatchObject({ blocks: [{ kind: "fence", code: "{}" }] });
});

test("headings that are only code keep their letters", () => {
  expect(headingId("`platform-app manifest pull`")).toBe("platform-app-manifest-pull");
  expect(headingId("What's in a [state record](/docs/state-api)?")).toBe("whats-in-a-state-record");
});

test("the info string of a fence has words and attributes", () => {
  expect(parseFence("")).toEqual({ language: "", words: [], attributes: {} });
  expect(parseFence('python file=snippets/python/read_state.py skip="needs a core"')).toEqual({
    language: "python",
    words: [],
    attributes: { file: "snippets/python/read_state.py", skip: "needs a core" },
  });
});

test("a region is the lines between its marks, without their indentation", () => {
  const code = "a\n  // region read\n  b\n    c\n  // endregion read\n# region other\nd\n# endregion other\n";
  expect(readRegion(code, "read")).toBe("b\n  c");
  expect(readRegion(code, "other")).toBe("d");
  expect(readRegion(code, "missing")).toBeUndefined();
  expect(withoutRegionMarks(code)).toBe("a\n  b\n    c\nd\n");
});
