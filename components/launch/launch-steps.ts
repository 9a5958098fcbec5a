/** The steps of a launch and the progress of each. */
import { pointerTo } from "@/lib/contract/pointer";
import type { Issue } from "@/lib/contract/problem";
import type { AnswerSheet } from "@/lib/domain/answer-sheet";
import type { LaunchOffer, LaunchProduct, LaunchTenant } from "./launch-draft";

export type Step =
  | { id: "tenant"; title: string }
  | { id: "configure"; title: string }
  | { id: string; title: string; product: LaunchProduct }
  | { id: "review"; title: string };

/** `skipped`: nothing is required, and nothing was answered. */
export type Progress = "open" | "answered" | "skipped";

/** Leaves out steps that would ask nothing. */
export function listSteps(
  { settings, mappingFields }: Pick<LaunchOffer, "settings" | "mappingFields">,
  tenant: LaunchTenant | undefined,
): Step[] {
  const products = mappingFields.length === 0 ? [] : (tenant?.products ?? []);
  return [
    { id: "tenant", title: "Tenant" },
    ...(settings.length === 0 ? [] : [{ id: "configure" as const, title: "Configure" }]),
    ...products.map((product, index) => ({ id: mapStepId(index), title: `Map ${product.name}`, product })),
    { id: "review", title: "Review" },
  ];
}

/** `index`: of the product. */
export function mapStepId(index: number): string {
  return `map-${index + 1}`;
}

/** The start of the pointers that a step asks for. */
export function stepPointer(step: Step): string {
  if (step.id === "tenant") return "/tenantId";
  if (step.id === "configure") return "/settings";
  return "product" in step ? pointerTo("mappings", step.product.name) : "/none";
}

/** The progress of each step. */
export function listProgress(
  sheet: AnswerSheet,
  steps: readonly Step[],
  issues: readonly Issue[],
): Progress[] {
  const open = pointersWithIssues(issues);
  return steps.map((step) => {
    if (step.id === "review" || open.has(stepPointer(step))) return "open";
    return isEmpty(sheet, step) ? "skipped" : "answered";
  });
}

function isEmpty(sheet: AnswerSheet, step: Step): boolean {
  const { declared, mappingFields } = sheet.form;
  if (step.id === "configure") return declared.every((setting) => sheet.action(setting) === undefined);
  if (!("product" in step)) return false;
  return mappingFields.every(({ name }) => sheet.path(step.product.name, name) === "");
}

/** The index of the first step with an issue; -1 if none has one. */
export function firstStepWithIssue(steps: readonly Step[], issues: readonly Issue[]): number {
  const open = pointersWithIssues(issues);
  return steps.findIndex((step) => open.has(stepPointer(step)));
}

/** The step pointers of all issues, in one pass: there can be thousands of issues. */
function pointersWithIssues(issues: readonly Issue[]): Set<string> {
  return new Set(
    issues.map(({ pointer }) => {
      const [, list = "", product] = pointer.split("/");
      return list === "mappings" && product !== undefined ? `/${list}/${product}` : `/${list}`;
    }),
  );
}

/** Every step up to the first with an issue can be opened. */
export function furthestStep(steps: readonly Step[], issues: readonly Issue[]): number {
  const open = firstStepWithIssue(steps, issues);
  return open === -1 ? steps.length - 1 : open;
}
