import { expect, test } from "vitest";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { outlineManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
import { APP } from "../model/editor-store";
import { issuesAt, issuesByEntry, issueText } from "./entry-issues";

test("issues belong to their entry and member, and all others to the app", () => {
  const text = JSON.stringify({
    name: "acme/x-y",
    version: "one",
    app: {
      fields: [
        { name: "a", title: "A", type: "Text" },
        { name: "1", title: "B", type: "Select", values: [{ text: "", value: "x" }] },
        { name: "apiKey", title: "C", type: "Text" },
      ],
    },
    core: { webhooks: [{ path: "x", events: ["policy.issued"] }], hosts: [] },
  });
  const outline = outlineManifest(text);
  const { issues } = checkManifest(text);
  const found = issuesByEntry({ issues, outline });
  const pointers = outline.entries.map(({ id }) => (found.get(id) ?? []).map(({ pointer }) => pointer));
  expect(pointers).toEqual([[], ["/name", "/values/0/text"], ["/sensitive"], ["/path"]]);
  expect(found.get(APP)?.map(({ pointer }) => pointer)).toEqual(["/version"]);

  const second = found.get(outline.entries[1]?.id ?? "") ?? [];
  expect(issuesAt(second, "/values")).toHaveLength(1);
  expect(issuesAt(second, "/val")).toHaveLength(0);
  expect(issueText(issuesAt(second, "/name"))).toContain("Names must start with a letter");
});

test("issues stay with their entries until the next check, even if the entries move", () => {
  const text = JSON.stringify({ app: { fields: [{ name: "1" }, { name: "b" }] } });
  const outline = outlineManifest(text);
  const { issues } = checkManifest(text);
  const before = issuesByEntry({ issues, outline });
  const moved = outlineManifest(JSON.stringify({ app: { fields: [{ name: "b" }, { name: "1" }] } }), outline);
  expect(issuesByEntry({ issues, outline: moved })).toBe(before);
});
