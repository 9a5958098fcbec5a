"use client";

import { elementScroll, observeElementOffset, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { CopyOutcome, useCopied } from "@/components/ui/code-block";
import type { LogEntry } from "@/lib/contract/insight/app-log";
import { scaled } from "@/components/ui/root-font-size";
import { useZone } from "@/components/ui/zone";
import { writeLogEntry } from "@/lib/domain/insight/log-text";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";
import { LogEntryRow } from "./log-rows";

interface LogListProps {
  entries: readonly LogEntry[];
  wrap: boolean;
  q: string | undefined;
  showsInstance: boolean;
  /** Above the oldest entry; as high as `HEAD_PX`. */
  head: ReactNode;
  /** Loads older entries, if there are any and nothing else has to be done first. */
  loadOlder: (() => void) | undefined;
  onEndChange: (isAtEnd: boolean) => void;
  /** Changes when the list has to show its end. */
  jumps: number;
}

const LINE_PX = 24;
const HEAD_PX = 56;

/** How close to the end counts as there. */
const END_PX = 48;

/** Older entries are loaded before the first one that is loaded comes into view. */
const AHEAD = 40;

/** Lines that are drawn above and below the ones in view. */
const OVERSCAN = 12;

/** Draws only the lines in view. The newest is at the end, and the list follows it while the end is in view. */
export function LogList(props: LogListProps) {
  const { entries, wrap, q, showsInstance, head, loadOlder, onEndChange, jumps } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const [copiedId, setCopiedId] = useState<string>();
  const copying = useCopied();
  const [scroll] = useState(() => new ListScroll());
  // It is drawn with each step of a scroll.
  const zone = useZone();
  const rows = useMemo(() => groupRows(entries, zone), [entries, zone]);
  // eslint-disable-next-line react-hooks/incompatible-library -- the React Compiler is not used
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => scaled(LINE_PX),
    getItemKey: (index) => rows[index]?.entry.id ?? index,
    paddingStart: scaled(HEAD_PX),
    anchorTo: "end",
    followOnAppend: !scroll.isAhead(),
    scrollEndThreshold: END_PX,
    overscan: OVERSCAN,
    observeElementOffset: scroll.observe,
    scrollToFn: scroll.write,
  });
  const items = virtualizer.getVirtualItems();

  useLayoutEffect(() => scroll.ask(() => virtualizer.scrollToEnd()), [scroll, virtualizer, jumps]);
  // Lines get other heights, and what was measured is of no use.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, wrap]);

  const isAtEnd = virtualizer.scrollOffset === null || virtualizer.isAtEnd(END_PX);
  const report = useEffectEvent(onEndChange);
  useEffect(() => report(isAtEnd), [isAtEnd]);

  const isNearStart = (items[0]?.index ?? 0) < AHEAD && virtualizer.scrollOffset !== null;
  const mayLoad = loadOlder !== undefined;
  const load = useEffectEvent(() => {
    // A list that opens shows its end before the virtualizer hears of it.
    const first = virtualizer.getVirtualItemForOffset(scroller.current?.scrollTop ?? 0);
    if ((first?.index ?? 0) < AHEAD + OVERSCAN) loadOlder?.();
  });
  useEffect(() => {
    if (isNearStart && mayLoad) load();
  }, [isNearStart, mayLoad, rows.length]);

  const copy = (entry: LogEntry) => {
    setCopiedId(entry.id);
    copying.start(writeLogEntry(entry));
  };
  const move = (step: 1 | -1) => {
    const now = rows.findIndex(({ entry }) => entry.id === activeId);
    const last = virtualizer.range?.endIndex ?? rows.length - 1;
    const next = now < 0 ? last : Math.min(rows.length - 1, Math.max(0, now + step));
    setActiveId(rows[next]?.entry.id);
    scroll.ask(() => virtualizer.scrollToIndex(next, { align: "auto" }));
  };
  const active = entries.find(({ id }) => id === activeId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && active !== undefined) copy(active);
    else if (event.key === "End") scroll.ask(() => virtualizer.scrollToEnd());
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        translate="no"
        ref={scroller}
        role="log"
        // A busy app would never let a screen reader finish. The current line is read instead.
        aria-live="off"
        aria-label="Log lines"
        aria-describedby="log-keys"
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="h-[max(20rem,calc(100dvh-26rem))] overflow-auto overscroll-contain bg-surface font-mono text-xs leading-5 [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="relative min-w-full" style={{ height: virtualizer.getTotalSize() }}>
          <div
            className="sticky left-0 flex items-center justify-center px-4 font-sans"
            style={{ height: scaled(HEAD_PX) }}
          >
            {head}
          </div>
          <div
            className={`absolute top-0 left-0 min-w-full ${wrap ? "w-full" : "w-max"}`}
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          >
            {items.map(({ index, key }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const { entry, startsDay } = row;
              return (
                <div key={key} ref={virtualizer.measureElement} data-index={index}>
                  {startsDay && <Day at={entry.at} />}
                  <LogEntryRow
                    entry={entry}
                    wrap={wrap}
                    showsInstance={showsInstance}
                    q={q}
                    isActive={entry.id === activeId}
                    isCopied={copying.isCopied && entry.id === copiedId}
                    onCopy={() => copy(entry)}
                  />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <p id="log-keys" className="sr-only">
        Arrow keys read line by line. Enter copies the line. End jumps to the newest line.
      </p>
      <CopyOutcome copy={copying} />
      <p role="status" className="sr-only">
        {copying.isCopied || active === undefined ? "" : writeLogEntry(active)}
      </p>
    </>
  );
}

function Day({ at }: { at: string }) {
  const zone = useZone();
  return (
    <p className="sticky left-0 flex items-center gap-3 px-4 py-2 font-sans text-xs font-medium text-ink-faint sm:px-6">
      <span className="h-px w-4 bg-line" />
      {writeTime(at, "day", zone)} · {nameZone(zone, at)}
      <span className="h-px flex-1 bg-line" />
    </p>
  );
}

/** The browser rounds positions. */
const ROUNDING_PX = 1.5;

/**
 * Scrolls the list for the virtualizer. The browser reports a scroll with the next frame, and until then the virtualizer decides from where
 * the user no longer is: it would go back to follow new lines, or to hold a line when older ones are added. The user's place counts instead,
 * and moves only as far as the lines there do.
 */
class ListScroll {
  #element: HTMLDivElement | null = null;
  /** Where the virtualizer takes the list to be. */
  #known = 0;
  #isAsked = false;

  readonly observe: typeof observeElementOffset<HTMLDivElement> = (list, report) => {
    this.#element = list.scrollElement;
    this.#known = 0;
    return observeElementOffset(list, (offset, isScrolling) => {
      this.#known = offset;
      report(offset, isScrolling);
    });
  };

  readonly write: typeof elementScroll<HTMLDivElement> = (offset, options, list) => {
    const element = this.#element;
    if (element === null) return;
    if (this.#isAsked || !this.isAhead()) {
      elementScroll(offset, options, list);
      this.#known = element.scrollTop;
      return;
    }
    const believed = (list.scrollOffset ?? 0) + (options.adjustments ?? 0);
    // An adjustment is for lines that were just drawn, around the old place: for a user who went up, they are below.
    const isBelow = options.adjustments !== undefined && element.scrollTop < this.#known;
    if (!isBelow) element.scrollTop += believed - this.#known;
    this.#known = believed;
  };

  /** Goes where the user asks to go. */
  ask(command: () => void): void {
    this.#isAsked = true;
    command();
    this.#isAsked = false;
  }

  /** Whether the user has scrolled and the virtualizer has not heard of it. A list that got shorter is left at its new end by the browser. */
  isAhead(): boolean {
    if (this.#element === null) return false;
    const { scrollTop, scrollHeight, clientHeight } = this.#element;
    const moved = scrollTop - this.#known;
    const isLeftAtEnd = moved < 0 && scrollTop >= scrollHeight - clientHeight - ROUNDING_PX;
    return Math.abs(moved) >= ROUNDING_PX && !isLeftAtEnd;
  }
}

// What the list of a log draws. Pure.

interface LogRow {
  entry: LogEntry;
  /** It is the first one of its day, in the reader's time zone. */
  startsDay: boolean;
}

const QUARTER_MS = 15 * 60_000;

function groupRows(entries: readonly LogEntry[], zone: string): LogRow[] {
  let day = "";
  let quarter = Number.NaN;
  return entries.map((entry) => {
    const before = day;
    // Days begin at quarters of an hour everywhere, and writing one for each of thousands of lines takes long.
    const own = Math.floor(Date.parse(entry.at) / QUARTER_MS);
    if (own !== quarter) day = writeTime(entry.at, "day", zone);
    quarter = own;
    return { entry, startsDay: day !== before };
  });
}
