import type { ReactNode } from "react";

/**
 * A table for reading. On a phone each row is a stack of its cells. The roles are written out, because browsers drop them
 * with the layout of a table. `label` names it for screen readers.
 */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="relative overflow-x-auto rounded-b-card -outline-offset-2"
    >
      <table
        role="table"
        aria-label={label}
        className="w-full min-w-full border-collapse text-left text-sm max-sm:block"
      >
        {children}
      </table>
    </div>
  );
}

/** Column headings. An empty text marks a column of buttons. */
export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead role="rowgroup" className="max-sm:sr-only">
      <tr role="row" className="border-y border-line bg-subtle text-xs text-ink-faint">
        {columns.map((column, index) => (
          <th key={index} role="columnheader" scope="col" className="head-cell">
            {column === "" ? <span className="sr-only">Actions</span> : column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="divide-y divide-line max-sm:block">
      {children}
    </tbody>
  );
}

export function TableRow({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <tr role="row" className={`data-row ${className}`}>
      {children}
    </tr>
  );
}

interface TableCellProps {
  children?: ReactNode;
  /** Its column, which a phone shows beside the value where the value alone is unclear. */
  label?: string;
  className?: string;
  /** For names and values that a translated page must show as they are. */
  translate?: "no";
}

export function TableCell({ children, label, className = "", translate }: TableCellProps) {
  return (
    <td role="cell" translate={translate} className={`data-cell ${className}`}>
      {label !== undefined && (
        <span aria-hidden className="cell-label">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}
