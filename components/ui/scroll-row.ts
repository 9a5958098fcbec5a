/** Scrolls a row sideways to one of its parts, if that is out of sight. The page stays where it is. The row is the part's offset parent. */
export function scrollRowTo(row: HTMLElement, part: Element | null | undefined): void {
  if (!(part instanceof HTMLElement)) return;
  const { offsetLeft: left, offsetWidth: width } = part;
  const isShown = left >= row.scrollLeft && left + width <= row.scrollLeft + row.clientWidth;
  if (!isShown) row.scrollLeft = left - (row.clientWidth - width) / 2;
}
