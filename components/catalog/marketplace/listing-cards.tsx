import type { ComponentProps } from "react";
import { Badge } from "@/components/ui/badge";
import { LinkPending } from "@/components/ui/link-pending";
import { PageLink, TextLink } from "@/components/ui/links";
import { TableCell } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import { imagePath } from "@/lib/contract/catalog/listing-terms";

interface ListingCard {
  id: string;
  organizationSlug: string;
  organizationName: string;
  appName: string;
  title: string;
  /** Plain text. */
  summary: string;
  icon: string | null;
  /** The number of the version that customers launch. */
  version: string | null;
  /** What the platform calls it for and which hosts it reaches, in plain words. */
  connects: readonly string[];
  /** How many organizations use it; 0 if too few to be told. */
  usedBy: number;
}

interface ListingCardsProps {
  listings: ListingCard[];
  /** The ids of those that the visitor's organization has installed. */
  installed?: ReadonlySet<string>;
}

/** The marketplace's grid. Not prefetched: a visitor opens few of many. */
export function ListingCards({ listings, installed }: ListingCardsProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16.5rem),1fr))] gap-4">
      {listings.map((listing) => (
        <li
          key={listing.id}
          className="relative flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-5 shadow-low outline-offset-2 outline-accent-text transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2"
        >
          <div className="flex items-start gap-3">
            <AppIcon title={listing.title} icon={listing.icon} />
            <div className="min-w-0 flex-1">
              <h2 className="truncate font-semibold">
                <PageLink
                  href={`/marketplace/${listing.organizationSlug}/${listing.appName}`}
                  className="outline-none after:absolute after:inset-0 after:rounded-card"
                >
                  {listing.title}
                  <LinkPending />
                </PageLink>
              </h2>
              <p className="truncate text-small text-ink-faint">
                <UserText>{listing.organizationName}</UserText>
              </p>
            </div>
          </div>
          <p className="line-clamp-3 text-small leading-5 text-ink-soft">
            <UserText>{listing.summary}</UserText>
          </p>
          <ul className="mt-auto flex flex-col gap-0.5 border-t border-line pt-3 text-small leading-5 text-ink-soft empty:hidden">
            {listing.connects.map((line) => (
              <li key={line} className="wrap-anywhere">
                <UserText>{line}</UserText>
              </li>
            ))}
            {listing.usedBy > 0 && (
              <li className="tabular-nums">Used by {listing.usedBy.toLocaleString("en-US")} organizations</li>
            )}
            {listing.version !== null && (
              <li className="flex min-h-6 flex-wrap items-center justify-between gap-x-3 text-ink-faint">
                <span className="tabular-nums">Version {listing.version}</span>
                {installed?.has(listing.id) === true && <Badge tone="success">Installed</Badge>}
              </li>
            )}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const SIZES = { small: "size-10 text-base", large: "size-14 text-2xl", huge: "size-20 text-3xl" } as const;

interface AppIconProps {
  title: string;
  /** The digest of its picture. Without one, the icon shows the title's first letter. */
  icon: string | null;
  size?: keyof typeof SIZES;
}

/** Says nothing that the title beside it doesn't say. */
export function AppIcon({ title, icon, size = "small" }: AppIconProps) {
  const box = `shrink-0 rounded-card ${SIZES[size]}`;
  if (icon !== null)
    // eslint-disable-next-line @next/next/no-img-element -- It has its final size and format already.
    return <img src={imagePath(icon)} alt="" width={256} height={256} className={`object-contain ${box}`} />;
  return (
    <span
      aria-hidden
      className={`flex items-center justify-center bg-accent-soft font-semibold text-accent-text ${box}`}
    >
      {[...title.trim()][0]?.toUpperCase()}
    </span>
  );
}

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
      <span translate="no" className="block font-mono text-small text-ink-faint">
        {organizationSlug}/{appName}
      </span>
    </TableCell>
  );
}
