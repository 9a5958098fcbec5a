import { TextLink } from "@/components/ui/links";

interface ReportLinkProps {
  /** The page with the form. */
  href: string;
  /** The listing or its publisher names an address or a link. */
  hasContact: boolean;
}

/** Below a listing's links: whom to tell of a problem, also if its publisher can't be reached. */
export function ReportLink({ href, hasContact }: ReportLinkProps) {
  return (
    <p className="text-small text-ink-faint">
      {!hasContact && "The publisher gives no contact details. "}
      <TextLink href={href}>Report a problem with this listing</TextLink>
    </p>
  );
}
