import fc from "fast-check";
import { expect, test } from "vitest";
import { outlineManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
import { previewApp } from "./preview-store";

const preview = (value: unknown) => previewApp(outlineManifest(JSON.stringify(value)));

// Guarantee: one broken entry hides nothing else from the preview, and is counted.
test("valid entries are shown, the others are counted", () => {
  const text = { name: "note", title: "Note", type: "Text" };
  const app = preview({
    app: {
      fields: [
        text,
        null,
        7,
        { ...text, title: 7 },
        { name: "region", title: "Region", type: "Select" },
        { ...text, title: "Again" },
        { name: "__proto__", title: "P", type: "Text" },
      ],
    },
    core: {
      fields: [{ name: "vin", title: "VIN" }, "vin"],
      autofill: [
        { path: "/autofill", operations: ["a.*"] },
        { path: "//evil", operations: ["a"] },
      ],
      lifecycle: ["install", "explode"],
    },
  });
  expect(app.settings.map(({ title }) => title)).toEqual(["Note"]);
  expect(app.mappingFields.map(({ name }) => name)).toEqual(["vin"]);
  expect(app.routes).toEqual([
    { kind: "autofill", path: "/autofill" },
    { kind: "lifecycle", path: "/_app/install" },
  ]);
  expect(app.leftOut).toBe(9);
});

// Guarantee: no manifest breaks the preview, whatever its lists contain.
test("any entries can be previewed", () => {
  const lists = fc.array(fc.jsonValue(), { maxLength: 5 });
  const core = fc.record({
    fields: lists,
    webhooks: lists,
    autofill: lists,
    externalRaters: lists,
    lifecycle: lists,
  });
  fc.assert(
    fc.property(lists, core, (fields, rest) => {
      const { leftOut } = preview({ app: { fields }, core: rest });
      expect(leftOut).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("of ten thousand settings, a hundred are shown", () => {
  const fields = Array.from({ length: 10_000 }, (_, at) => ({ name: `s${at}`, title: "S", type: "Text" }));
  const app = preview({ app: { fields } });
  expect(app.settings).toHaveLength(100);
  expect(app.leftOut).toBe(9_900);
});

test("a list of permissions or hosts that is absent differs from an empty one", () => {
  expect(preview({ core: {} }).rights).toEqual({ permissions: null, hosts: null });
  expect(preview({ core: { permissions: [], hosts: [] } }).rights).toEqual({ permissions: [], hosts: [] });
});
