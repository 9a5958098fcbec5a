import { focusSoon } from "./focus";
import type { ValueColumn } from "./use-values-edit";

/** Of a row of the table of values; the table is drawn only where it is in sight, so it must know its rows' height. */
export const VALUE_ROW_HEIGHT = 40;

/** Scrolls the table to a cell and puts the focus there. The table carries `data-values-of`, each cell `data-cell`. */
export function focusCell(id: string, index: number, column: ValueColumn): void {
  focusSoon(
    () => {
      const grid = document.querySelector<HTMLElement>(`[data-values-of="${CSS.escape(id)}"]`);
      const cell = grid?.querySelector<HTMLElement>(`[data-cell="${index}/${column}"]`) ?? null;
      if (grid !== null && cell === null) scrollTo(grid, index);
      // A list that the focus enters at a cell would send it on to its first row; entered at the row it does not.
      cell?.closest<HTMLElement>("[role=row]")?.focus();
      return cell;
    },
    (cell) => {
      if (cell instanceof HTMLInputElement) cell.select();
      cell.scrollIntoView({ block: "nearest" });
    },
  );
}

function scrollTo(grid: HTMLElement, index: number): void {
  const top = index * VALUE_ROW_HEIGHT;
  if (top < grid.scrollTop) grid.scrollTop = top;
  const bottom = top + VALUE_ROW_HEIGHT - grid.clientHeight;
  if (bottom > grid.scrollTop) grid.scrollTop = bottom;
}
