import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "./audit";
import { readExportFormat } from "./audit-view";

// Guarantee: the audit page says every action as one sentence: "Maya Moss <text>". The compiler refuses one without text.
test.each(Object.entries(AUDIT_ACTIONS))("%s has a sentence that names its subject once", (_action, text) => {
  expect(text).toMatch(/^[a-z][^{}]* ?\{subject\}[^{}.]*$/);
});

// Guarantee: nobody gets another format than the one that was named.
test("a format that does not exist is refused", () => {
  expect(readExportFormat()).toBe("csv");
  expect(readExportFormat("jsonl")).toBe("jsonl");
  for (const named of ["xls", "CSV", ""])
    expect(() => readExportFormat(named)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
});
