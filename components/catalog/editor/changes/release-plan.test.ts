import { expect, test } from "vitest";
import { planRelease } from "./release-dialog";

const manifest = (version: string, fields: unknown[] = [], name = "acme/vin-lookup") =>
  JSON.stringify({ name, version, app: { fields } });
const text = { name: "one", title: "One", type: "Text" };
const newest = { number: "1.4.0", text: manifest("1.4.0", [text]) };
const plan = (draft: string) => planRelease(newest, draft, "acme/vin-lookup");

test("changed texts get the draft's own version number if it is higher, otherwise the next one", () => {
  const other = [{ ...text, title: "Another" }];
  expect(plan(manifest("1.4.0", other))).toMatchObject({ type: "ready", number: "1.5.0" });
  expect(plan(manifest("2.0.0", other))).toMatchObject({ type: "ready", number: "2.0.0" });
  expect(plan(manifest("1.0.0", other))).toMatchObject({ type: "ready", number: "1.5.0" });
});

test("changes that the app's code may depend on need a new image", () => {
  const { type, ...rest } = plan(manifest("1.4.0"));
  expect(type).toBe("needs-image");
  expect(rest).toHaveProperty("changes.0.needsImage", true);
});

test("a different version number is not a change to release", () => {
  expect(plan(manifest("1.9.0", [text]))).toEqual({ type: "same", number: "1.4.0" });
});

test("errors, broken JSON and another listing's name prevent a release", () => {
  for (const broken of [
    "{ broken",
    "",
    "7",
    manifest("1.2", [text]),
    manifest("1.4.0", [], "acme/other-app"),
  ]) {
    expect(plan(broken), broken).toMatchObject({ type: "broken" });
  }
});
