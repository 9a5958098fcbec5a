"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { arrangeData, describePlot, type Drawing, type PointedPlace } from "./describe-plot";
import type { Row } from "./series";

interface PlotProps extends Drawing {
  /** The first and the last place that the mouse was dragged across. Without it, nothing can be selected. */
  onSelect?: (first: number, last: number) => void;
  describe: (row: Row) => ReactNode;
}

/** Draws on a canvas, so a text or a table must say the same. What is under the pointer is described beside it. */
export function Plot({ onSelect, describe, ...drawing }: PlotProps) {
  const { rows, bucketMs, series, isStacked } = drawing;
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const [pointed, setPointed] = useState<PointedPlace>();
  const readDrawing = useEffectEvent(() => drawing);
  const select = useEffectEvent((first: number, last: number) => onSelect?.(first, last));
  const isSelectable = onSelect !== undefined;
  const look = JSON.stringify([isStacked, isSelectable, series.map(({ color, dashes }) => [color, dashes])]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const options = describePlot(element, () => readDrawing(), {
      onPoint: setPointed,
      onSelect: isSelectable ? (first, last) => select(first, last) : undefined,
    });
    const plot = new uPlot(options, arrangeData(readDrawing()), element);
    drawn.current = plot;
    const resized = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      // It is called at first, too, when the pointer may already be there.
      if (width === plot.width && height === plot.height) return;
      plot.setCursor({ left: -1, top: -1 });
      plot.setSize({ width, height });
    });
    resized.observe(element);
    const themed = new MutationObserver(() => plot.redraw());
    themed.observe(document.documentElement, { attributeFilter: ["class"] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot.destroy();
      setPointed(undefined);
    };
  }, [look, isSelectable]);
  useEffect(
    () => drawn.current?.setData(arrangeData({ rows, bucketMs, series, isStacked })),
    [rows, bucketMs, series, isStacked],
  );
  const row = pointed === undefined ? undefined : rows[pointed.place];
  return (
    <>
      {pointed !== undefined && isStacked && (
        <div
          className="absolute top-2 bottom-6.5 bg-hover"
          style={{ left: pointed.left - pointed.width / 2, width: pointed.width }}
        />
      )}
      <div
        ref={box}
        className="absolute inset-0 [&_.u-cursor-x]:border-solid! [&_.u-cursor-x]:border-line-strong! [&_.u-select]:bg-accent/20!"
      />
      {pointed !== undefined && row !== undefined && (
        <div
          className={`pointer-events-none absolute top-2 z-10 px-3 ${pointed.isRight ? "-translate-x-full" : ""}`}
          style={{ left: pointed.left }}
        >
          {describe(row)}
        </div>
      )}
    </>
  );
}
