"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type RefObject, use, useEffect, useRef, useState } from "react";
import { type Issue, pointerTo, within } from "@/lib/contract/platform/problem";
import type { AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { TERMS_NOT_ACCEPTED } from "@/lib/domain/catalog/terms";
import type { CheckedForm } from "./configuration-check";
import type { LaunchOffer, LaunchProduct, LaunchTenant } from "./launch-draft";

/** Where the focus goes: a field of a step by its pointer, or the start of the step. A new object each time. */
interface FocusRequest {
  stepId: string;
  pointer?: string;
}

/** The steps of a launch, and the way between them. */
interface Wizard {
  offer: LaunchOffer;
  tenant: LaunchTenant | undefined;
  steps: readonly Step[];
  current: number;
  /** Everything that is missing or wrong, marked or not. */
  missing: readonly Issue[];
  focus: FocusRequest | undefined;
  /** The customer agrees to open the public endpoints. Not saved: it is asked at the end, and for this version. */
  opensEndpoints: boolean;
  setOpensEndpoints: (opens: boolean) => void;
  /** The step was opened from the review to change one answer: it leads back to the review. */
  isReturning: boolean;
  /** How the app checks the settings; undefined if it doesn't, and in the preview. */
  check?: CheckedForm;
  /** The launch was sent. */
  isSent: boolean;
  /** With a pointer: at that field of the step. */
  open: (stepId: string | undefined, pointer?: string) => void;
  /** The next step, or the launch; first the issues of this step. */
  next: () => void;
}

export const WizardContext = createContext<Wizard | undefined>(undefined);

export function useWizard(): Wizard {
  const wizard = use(WizardContext);
  if (wizard === undefined) throw new Error("WizardContext has no value");
  return wizard;
}

interface StepNavigation {
  steps: readonly Step[];
  current: number;
  findIssues: () => readonly Issue[];
  /** Marks the issues, and no others. */
  setMarked: (issues: readonly Issue[]) => void;
  openStep: (index: number) => void;
  /** The last step has no issues. */
  finish: () => void;
}

export function useStepNavigation(navigation: StepNavigation) {
  const { steps, current, findIssues, setMarked, openStep, finish } = navigation;
  const [focus, setFocus] = useState<FocusRequest>();
  /** The step that the review opened. */
  const [changing, setChanging] = useState<string>();
  const step = steps[current];
  const isReturning = step !== undefined && step.id === changing;
  const open = (stepId: string | undefined, pointer?: string) => {
    const index = steps.findIndex(({ id }) => id === stepId);
    if (stepId === undefined || index === -1) return;
    setFocus({ stepId, pointer });
    setChanging(step?.id === "review" ? stepId : undefined);
    if (index !== current) openStep(index);
  };
  /** Goes to the first issue of this step, or of all steps if this one has none. */
  const mark = (issues: readonly Issue[]) => {
    setMarked(issues);
    const isHere = step !== undefined && within(issues, stepPointer(step)).length > 0;
    const target = isHere ? step : steps[firstStepWithIssue(steps, issues)];
    if (target !== undefined) open(target.id, within(issues, stepPointer(target))[0]?.pointer);
  };
  const next = () => {
    if (step === undefined) return;
    const issues = findIssues();
    const lacking = step.id === "review" ? issues : within(issues, stepPointer(step));
    if (lacking.length > 0) return mark(lacking);
    setMarked([]);
    if (step.id === "review") return finish();
    // Another tenant may have products that are not mapped yet.
    const lackingStep = steps[firstStepWithIssue(steps, issues)];
    open(isReturning ? (lackingStep ?? steps.at(-1))?.id : steps[current + 1]?.id);
  };
  return { focus, isReturning, open, mark, next };
}

/**
 * The step in the address, so that the browser's Back goes one step back.
 * @param furthest the first step with issues @param isSettled `furthest` is up to date
 */
export function useStepInAddress(
  ids: string[],
  furthest: number,
  isSettled: boolean,
): [current: number, open: (index: number) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const wanted = Math.max(0, ids.indexOf(search.get("step") ?? ""));
  // After a reload, the address may be ahead of the answers.
  const current = Math.min(wanted, furthest);
  const addressFor = (index: number) => {
    const query = new URLSearchParams(search);
    query.set("step", ids[index] ?? "");
    return `${pathname}?${query}`;
  };
  const corrected = isSettled && current < wanted ? addressFor(current) : undefined;
  useEffect(() => {
    // Otherwise the page would jump ahead as soon as the typed text is valid.
    if (corrected !== undefined) window.history.replaceState(null, "", corrected);
  }, [corrected]);
  const open = (index: number) => {
    window.history.pushState(null, "", addressFor(index));
    window.scrollTo({ top: 0 });
  };
  return [current, open];
}

/** Moves the focus when the step changes, and to a field on request. */
export function useStepFocus(
  frame: RefObject<HTMLElement | null>,
  stepId: string | undefined,
  request: FocusRequest | undefined,
): void {
  const before = useRef({ stepId, request });
  useEffect(() => {
    const last = before.current;
    const asked = request !== last.request && request?.stepId === stepId ? request : undefined;
    const moved = stepId !== last.stepId;
    if (!moved && asked === undefined) return;
    before.current = { stepId, request: asked ?? last.request };
    const element = frame.current;
    // A step that is opened from elsewhere on the page leaves the focus there.
    if (element === null || (asked === undefined && isElsewhere(element))) return;
    const field = asked?.pointer === undefined ? undefined : findField(element, asked.pointer);
    if (field === undefined) return element.focus({ preventScroll: true });
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  }, [frame, stepId, request]);
}

function isElsewhere(frame: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && !frame.contains(activeElement);
}

function findField(frame: HTMLElement, pointer: string): HTMLElement | undefined {
  const row = frame.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
  const fields = row?.querySelectorAll<HTMLElement>("input, textarea, button") ?? [];
  return [...fields].find((field) => field.tabIndex >= 0 && !field.hasAttribute("hidden"));
}

// The steps of a launch and the progress of each.

type Step =
  | { id: "tenant"; title: string }
  | { id: "configure"; title: string }
  | { id: string; title: string; product: LaunchProduct }
  | { id: "review"; title: string };

/** `skipped`: nothing is required, and nothing was answered. */
export type Progress = "open" | "answered" | "skipped";

/** Leaves out steps that would ask nothing. A trial brings its own tenant. */
export function listSteps(
  { settings, mappingFields }: Pick<LaunchOffer, "settings" | "mappingFields">,
  tenant: LaunchTenant | undefined,
  isTrial = false,
): Step[] {
  const products = mappingFields.length === 0 ? [] : (tenant?.products ?? []);
  return [
    ...(isTrial ? [] : [{ id: "tenant" as const, title: "Tenant" }]),
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
  return "product" in step ? pointerTo("mappings", step.product.name) : TERMS_NOT_ACCEPTED.pointer;
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
  if (step.id === "configure")
    return declared.every((setting) => sheet.action(setting) === undefined && !sheet.choices(setting).keep);
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
