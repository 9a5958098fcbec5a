import { useMemo, useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { MappingField } from "@/lib/contract/catalog/manifest";
import { type AnswerChange, AnswerSheet, UNTOUCHED, withAnswers } from "@/lib/domain/catalog/answer-sheet";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { SheetContext } from "./answer-form";
import { MappingFields } from "./mapping-fields";

const product = {
  name: "Auto",
  schema: { type: "object", properties: { vehicle: { properties: { vin: { type: "string" } } } } },
  sample: { vehicle: { vin: "1HGCM82633A004352" } },
};
const vin: MappingField = {
  name: "vin",
  title: "VIN",
  required: true,
  hint: "Where your policies have the VIN. Write `policyholder.fields[?(@.name=='vin')]`.",
};
const column: MappingField = {
  name: "column",
  title: "Export column",
  format: "text",
  hint: "A column of your export, such as VEH_VIN.",
};

function Form() {
  const [answers, setAnswers] = useState(UNTOUCHED);
  const form = {
    declared: [],
    mappingFields: [vin, column],
    settings: [],
    mappings: [],
    products: [product],
  };
  const sheet = new AnswerSheet(form, answers);
  const changeAll = useMemo(
    () => (changes: readonly AnswerChange[]) => setAnswers((before) => withAnswers(before, changes)),
    [],
  );
  return (
    <SheetContext value={{ sheet, issues: sheet.issues(), changeAll }}>
      <MappingFields product={product} fields={form.mappingFields} />
    </SheetContext>
  );
}

const field = (name: RegExp) => page.getByRole("textbox", { name });

// Guarantee: a path in an app's own dialect is accepted with a note; only a JSONPath is checked and tried.
test("a mapping takes a JSONPath or a path of the app's dialect, and text without any check", async () => {
  await renderPage(<Form />);
  await expect.element(field(/VIN/)).toHaveAttribute("placeholder", "policyholder.fields[?(@.name=='vin')]");
  await expect.element(field(/Export column/)).toHaveAttribute("placeholder", "VEH_VIN");
  // Text has no picker.
  expect(page.getByRole("button", { name: /^Pick a field/ }).elements()).toHaveLength(1);

  await field(/VIN/).fill("$.vehicle.vin");
  await expect.element(page.getByText("In the product's schema: string.")).toBeVisible();
  await expect.element(page.getByText("1HGCM82633A004352")).toBeVisible();
  await field(/VIN/).fill("policyholder.fields[?(@.name=='vin')]");
  await expect.element(page.getByText(/^Not a JSONPath from \$, so it can't be checked/)).toBeVisible();
  await expect.element(field(/VIN/)).not.toHaveAttribute("aria-invalid", "true");
  await field(/Export column/).fill("$.not[in the schema");
  await checkAppearance("mapping, dialect and text");
  expect(page.getByText(/can't be checked|In the sample|does not/).elements()).toHaveLength(1);

  await field(/VIN/).fill("$.vehicle[");
  await expect.element(page.getByText(/At the end: a bracket is not closed/)).toBeVisible();
  await expect.element(field(/VIN/)).not.toHaveAttribute("aria-invalid", "true");
});
