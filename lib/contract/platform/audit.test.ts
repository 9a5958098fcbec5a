import { expect, test } from "vitest";
import { AUDIT_ACTIONS } from "./audit";

// Guarantee: the audit page says every action as one sentence: "Maya Moss <text>". The compiler refuses one without text.
test.each(Object.entries(AUDIT_ACTIONS))("%s has a sentence that names its subject once", (_action, text) => {
  expect(text).toMatch(/^[a-z][^{}]* ?\{subject\}[^{}.]*$/);
});
