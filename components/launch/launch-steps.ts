/** The steps of a launch, and how far each is. */
import type { Issue } from "@/lib/contract/problem";
import { pathIn, tenantOf, type LaunchDraft } from "./launch-draft";
import { pointerTo } from "@/lib/contract/pointer";
import type { LaunchOffer, LaunchProduct } from "./launch-offer";

export type Step =
  | { id: "tenant"; title: string }
  | { id: "configure"; title: string }
  | { id: string; title: string; product: LaunchProduct }
  | { id: "review"; title: string };

/** `skipped`: nothing is required, and nothing was answered. */
export type Progress = "open" | "answered" | "skipped";

/** A step that would ask nothing is not there. */
export function stepsOf(offer: LaunchOffer, draft: LaunchDraft): Step[] {
  const products = offer.mappingFields.length === 0 ? [] : (tenantOf(offer, draft)?.products ?? []);
  return [
    { id: "tenant", title: "Tenant" },
    ...(offer.settings.length === 0 ? [] : [{ id: "configure" as const, title: "Configure" }]),
    ...products.map((product, index) => ({ id: `map-${index + 1}`, title: `Map ${product.name}`, product })),
    { id: "review", title: "Review" },
  ];
}

/** The start of the pointers that a step answers for. */
export function pointerOfStep(step: Step): string {
  if (step.id === "tenant") return "/tenantId";
  if (step.id === "configure") return "/settings";
  return "product" in step ? pointerTo("mappings", step.product.name) : "/none";
}

/** Of each step. */
export function progressOf(
  offer: LaunchOffer,
  draft: LaunchDraft,
  steps: readonly Step[],
  issues: readonly Issue[],
): Progress[] {
  const open = stepPointers(issues);
  return steps.map((step) => {
    if (step.id === "review" || open.has(pointerOfStep(step))) return "open";
    return isEmpty(offer, draft, step) ? "skipped" : "answered";
  });
}

function isEmpty(offer: LaunchOffer, draft: LaunchDraft, step: Step): boolean {
  if (step.id === "configure") return offer.settings.every(({ name }) => !draft.settings.has(name));
  if (!("product" in step)) return false;
  const tenantId = tenantOf(offer, draft)?.id ?? "";
  return offer.mappingFields.every((field) => pathIn(draft, tenantId, step.product.name, field) === "");
}

/** The first step that answers for any of the issues; -1: none does. */
export function stepOfFirst(steps: readonly Step[], issues: readonly Issue[]): number {
  const open = stepPointers(issues);
  return steps.findIndex((step) => open.has(pointerOfStep(step)));
}

/** What `pointerOfStep` says of the steps that the issues belong to: there can be thousands of them. */
function stepPointers(issues: readonly Issue[]): Set<string> {
  return new Set(
    issues.map(({ pointer }) => {
      const [, list = "", product] = pointer.split("/");
      return list === "mappings" && product !== undefined ? `/${list}/${product}` : `/${list}`;
    }),
  );
}

/** Every step up to the first that lacks something can be opened. */
export function furthestOf(steps: readonly Step[], issues: readonly Issue[]): number {
  const open = stepOfFirst(steps, issues);
  return open === -1 ? steps.length - 1 : open;
}
