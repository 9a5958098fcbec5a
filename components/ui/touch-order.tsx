"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { DragPreview } from "./collections";

interface TouchOrderProps {
  /** `to` is the index of the row to move before; it may be one past the last. */
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}

interface Drag {
  /** Names the row under the finger. */
  label: string;
  x: number;
  y: number;
  /** The row's index, and the index of the row before which it goes. */
  from: number;
  to: number;
  /** Where the row goes, in the window. */
  line: { left: number; width: number; top: number };
}

/**
 * Lets a finger move the rows of a list by their handles. Rows are dragged with the browser's own drag and drop, which touch starts
 * by a long press in some browsers and never in others. So the handle follows the finger itself, at once, and does not scroll.
 * Rows are numbered with `data-index`, from 0, and have `DragHandle`s; a virtualized list needs to show only some of them.
 */
export function TouchOrder({ onMove, children }: TouchOrderProps) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const drop = useEffectEvent(onMove);
  useEffect(() => {
    const { current: list } = area;
    if (list === null) return;
    let stop = () => {};
    const start = (event: PointerEvent) => {
      const row = findRow(event);
      if (row === undefined) return;
      // A long press would also select or open the row.
      event.stopPropagation();
      stop = followFinger({ list, row, event, onChange: setDrag, onDrop: drop });
    };
    list.addEventListener("pointerdown", start, { capture: true });
    return () => {
      list.removeEventListener("pointerdown", start, { capture: true });
      stop();
    };
  }, []);
  return (
    <div ref={area}>
      {children}
      {drag !== undefined && createPortal(<MovedRow {...drag} />, document.body)}
    </div>
  );
}

function MovedRow({ label, x, y, line }: Drag) {
  return (
    <div aria-hidden className="pointer-events-none fixed inset-0 z-50 overflow-hidden">
      <div className="absolute h-0.5 -translate-y-1/2 rounded-full bg-accent-text" style={line} />
      {/* Above the finger, which would cover it. */}
      <div
        className="absolute max-w-[80vw] -translate-y-[125%]"
        style={{ left: Math.max(x - 24, 8), top: y }}
      >
        <DragPreview>{label}</DragPreview>
      </div>
    </div>
  );
}

/**
 * Of a handle that a finger or a pen touches. Mice drag the row itself, and screen readers press the button in the handle, which other
 * pointers go through.
 */
function findRow({ target, pointerType, isPrimary }: PointerEvent): HTMLElement | undefined {
  if (pointerType === "mouse" || !isPrimary || !(target instanceof Element)) return undefined;
  const row = target.matches("[data-drag-handle]") ? target.closest("[data-index]") : null;
  return row instanceof HTMLElement ? row : undefined;
}

/** A tap moves nothing. */
const SLOP_PX = 6;

interface Following {
  list: HTMLElement;
  row: HTMLElement;
  event: PointerEvent;
  onChange: (drag: Drag | undefined) => void;
  onDrop: (from: number, to: number) => void;
}

/** Until the finger is lifted. Escape, a second app or a call cancels. Returns what stops it. */
function followFinger({ list, row, event, onChange, onDrop }: Following): () => void {
  const { pointerId } = event;
  const from = Number(row.dataset.index);
  const label = row.getAttribute("aria-label") ?? "";
  const scroller = findScroller(list);
  let { clientX: x, clientY: y } = event;
  let drag: Drag | undefined;
  let frame = 0;
  const listeners = new AbortController();
  const update = () => {
    const goal = findGap(list, y);
    drag = goal === undefined ? drag : { label, x, y, from, ...goal };
    onChange(drag);
  };
  /** Near an edge, the list scrolls on while the finger rests. */
  const scrollOn = () => {
    const by = scrollStep(scroller, y);
    if (by !== 0) {
      scroller.scrollBy(0, by);
      update();
    }
    frame = requestAnimationFrame(scrollOn);
  };
  const stop = () => {
    listeners.abort();
    cancelAnimationFrame(frame);
    if (drag !== undefined) onChange(undefined);
    row.style.removeProperty("opacity");
  };
  const onMove = (moved: PointerEvent) => {
    if (moved.pointerId !== pointerId) return;
    const isSlight = Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) < SLOP_PX;
    if (drag === undefined && isSlight) return;
    if (drag === undefined) {
      row.style.opacity = "0.5";
      frame = requestAnimationFrame(scrollOn);
    }
    ({ clientX: x, clientY: y } = moved);
    update();
  };
  const onUp = (ended: PointerEvent) => {
    if (ended.pointerId !== pointerId) return;
    const dropped = ended.type === "pointerup" ? drag : undefined;
    stop();
    if (dropped !== undefined) onDrop(dropped.from, dropped.to);
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape") stop();
  };
  /** A long press would also start the browser's drag, select text, or open a menu. */
  const prevent = (other: Event) => {
    other.preventDefault();
    other.stopPropagation();
  };
  const options = { capture: true, signal: listeners.signal };
  document.addEventListener("pointermove", onMove, options);
  document.addEventListener("pointerup", onUp, options);
  document.addEventListener("pointercancel", onUp, options);
  document.addEventListener("keydown", onKey, options);
  for (const type of ["dragstart", "selectstart", "contextmenu"])
    document.addEventListener(type, prevent, options);
  return stop;
}

/** The gap between rows that is nearest to `y`. Undefined without rows. */
function findGap(list: HTMLElement, y: number): Pick<Drag, "to" | "line"> | undefined {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-index]")]
    .map((row) => ({ index: Number(row.dataset.index), box: row.getBoundingClientRect() }))
    .sort((one, other) => one.index - other.index);
  const below = rows.find(({ box }) => y < box.top + box.height / 2);
  const nearest = below ?? rows.at(-1);
  if (nearest === undefined) return undefined;
  const { left, width, top, bottom } = nearest.box;
  return below === undefined
    ? { to: nearest.index + 1, line: { left, width, top: bottom } }
    : { to: nearest.index, line: { left, width, top } };
}

function findScroller(list: HTMLElement): Element {
  const inner = [...list.querySelectorAll<HTMLElement>("[role=grid]")].find(isScroller);
  for (let at: HTMLElement | null = inner ?? list; at !== null; at = at.parentElement)
    if (isScroller(at)) return at;
  return document.scrollingElement ?? document.documentElement;
}

function isScroller(element: HTMLElement): boolean {
  return (
    /auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight
  );
}

const EDGE_PX = 48;
const SCROLL_PX = 8;

function scrollStep(scroller: Element, y: number): number {
  const box = scroller.getBoundingClientRect();
  const top = Math.max(box.top, 0);
  const bottom = Math.min(box.bottom, window.innerHeight);
  if (y < top + EDGE_PX) return -SCROLL_PX;
  return y > bottom - EDGE_PX ? SCROLL_PX : 0;
}
