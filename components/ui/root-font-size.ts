/** The reader's font size, for the few places that count in pixels: virtualized lists and canvases. */

/** The browser's default, which every size in rem is made for. */
const DEFAULT_PX = 16;

/** Pixels of a length that was made for the default font size. */
export function scaled(px: number): number {
  if (typeof document === "undefined") return px;
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.isFinite(size) ? (px * size) / DEFAULT_PX : px;
}
