import type { ComponentProps } from "react";
import { TableCell } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";

interface AppCellProps {
  listing: { title: string; organizationSlug: string; appName: string };
  href: string;
  linkRef?: ComponentProps<typeof TextLink>["ref"];
}

/** The cell that names a row's app, and links to the page about the row. */
export function AppCell({ listing: { title, organizationSlug, appName }, href, linkRef }: AppCellProps) {
  return (
    <TableCell className="min-w-52">
      <TextLink ref={linkRef} href={href} standalone className="font-medium">
        {title}
      </TextLink>
      <span className="block font-mono text-[13px] text-ink-faint">
        {organizationSlug}/{appName}
      </span>
    </TableCell>
  );
}
