import type { ReactNode } from "react";

/** A table for reading. It scrolls horizontally on a phone. `label` names it for screen readers. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="relative overflow-x-auto rounded-b-card -outline-offset-2"
    >
      <table aria-label={label} className="w-full min-w-full border-collapse text-left text-sm">
        {children}
      </table>
    </div>
  );
}

/** Column headings. An empty text marks a column of buttons. */
export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead>
      <tr className="border-y border-line bg-subtle text-xs text-ink-faint">
        {columns.map((column, index) => (
          <th
            key={index}
            scope="col"
            className="px-4 py-2 font-medium whitespace-nowrap first:sm:pl-6 last:sm:pr-6"
          >
            {column === "" ? <span className="sr-only">Actions</span> : column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return <tbody className="divide-y divide-line">{children}</tbody>;
}

export function TableCell({ children, className = "" }: { children?: ReactNode; className?: string }) {
  return <td className={`px-4 py-3 align-middle first:sm:pl-6 last:sm:pr-6 ${className}`}>{children}</td>;
}
