/** Renders components as the pages do and checks their appearance in both themes on a phone and a desktop. */
import axe from "axe-core";
import type { ReactNode } from "react";
import { expect, inject, onTestFinished, vi } from "vitest";
import { render } from "vitest-browser-react";
import { page } from "vitest/browser";
import { Providers } from "@/components/surface/providers";
import { AXE_CONTEXT, AXE_RULES, listSerious } from "./axe-rules";
import { listStrayLoginFields } from "./login-fields";
import { openUrl } from "./next-navigation";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder for pictures; empty: none are taken. */
    screenshots: string;
    /** Which of its views a state is checked in; undefined: all of them. */
    turn: number | undefined;
  }
}

/** What the platform answers, by method and path, such as `GET /api/installations/1`. Everything else is a 404. */
type Answers = Record<string, unknown>;

interface RenderedPage {
  path?: string;
  answers?: Answers;
}

/** Renders the content of a signed-in page at `path`. */
export async function renderPage(content: ReactNode, { path = "/", answers = {} }: RenderedPage = {}) {
  openUrl(path);
  stubFetch(answers);
  return render(
    <main id="main" className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-10">
      {content}
    </main>,
    { wrapper: Providers },
  );
}

function stubFetch(answers: Answers): void {
  const answerRequest = vi.fn(async (path: string, { method = "GET" }: RequestInit = {}) => {
    const answer = answers[`${method} ${path}`];
    if (answer instanceof Response) return answer.clone();
    if (answer !== undefined) return Response.json(answer);
    return Response.json({ code: "NOT_FOUND", detail: "Not found." }, { status: 404 });
  });
  vi.stubGlobal("fetch", answerRequest);
  onTestFinished(() => void vi.unstubAllGlobals());
}

interface View {
  theme: "light" | "dark";
  width: number;
}

let checkedStates = 0;

/**
 * axe finds nothing serious, nothing scrolls sideways, and only the fields of a login look like one. `npm test` checks each state in one view, by turns; `npm run test:full` and
 * pictures in all: each width, light and dark.
 */
export async function checkAppearance(state: string, widths: readonly number[] = [390, 1440]): Promise<void> {
  for (const { theme, width } of listDueViews(widths)) {
    const where = `${state}, ${theme}, ${width} px`;
    document.documentElement.classList.toggle("dark", theme === "dark");
    await page.viewport(width, 900);
    await finishAnimations();
    const { violations } = await axe.run(AXE_CONTEXT, AXE_RULES);
    expect(listSerious(violations), where).toEqual([]);
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth - clientWidth, `${where}: it scrolls sideways`).toBeLessThanOrEqual(0);
    expect(listStrayLoginFields(), `${where}: fields that look like a login`).toEqual([]);
    await takeScreenshot(where, width);
  }
  // What follows in a test is always at the last width.
  document.documentElement.classList.remove("dark");
  await page.viewport(widths.at(-1) ?? 1440, 900);
}

function listDueViews(widths: readonly number[]): View[] {
  const views = (["dark", "light"] as const).flatMap((theme) => widths.map((width) => ({ theme, width })));
  const turn = inject("turn");
  if (turn === undefined || inject("screenshots") !== "") return views;
  checkedStates += 1;
  return views.filter((_view, index) => index === (checkedStates + turn) % views.length);
}

/** What still fades in has less contrast than it will have. What is finished may bring in more. */
async function finishAnimations(): Promise<void> {
  let isMoving = true;
  while (isMoving) {
    const moving = document.getAnimations().filter(isTemporary);
    for (const animation of moving) animation.finish();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    isMoving = document.getAnimations().some(isTemporary);
  }
}

function isTemporary({ effect, playState }: Animation): boolean {
  return playState !== "finished" && effect?.getComputedTiming().iterations !== Infinity;
}

async function takeScreenshot(name: string, width: number): Promise<void> {
  const folder = inject("screenshots");
  if (folder === "") return;
  await page.viewport(width, Math.max(900, document.documentElement.scrollHeight));
  await page.screenshot({ path: `${folder}/${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png` });
}
