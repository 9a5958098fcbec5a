import Link from "next/link";
import { LinkPending } from "@/components/ui/link-pending";
import { UserText } from "@/components/ui/user-text";
import { AppIcon } from "./app-icon";

interface ListingCard {
  id: string;
  organizationSlug: string;
  organizationName: string;
  appName: string;
  title: string;
  /** Plain text. */
  summary: string;
  icon: string | null;
}

/** The marketplace's grid. Not prefetched: a visitor opens few of many. */
export function ListingCards({ listings }: { listings: ListingCard[] }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {listings.map((listing) => (
        <li
          key={listing.id}
          className="relative flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-5 shadow-low outline-offset-2 outline-accent-text transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2"
        >
          <div className="flex items-start gap-3">
            <AppIcon title={listing.title} icon={listing.icon} />
            <div className="min-w-0 flex-1">
              <h2 className="truncate font-semibold">
                <Link
                  href={`/marketplace/${listing.organizationSlug}/${listing.appName}`}
                  prefetch={false}
                  className="outline-none after:absolute after:inset-0 after:rounded-card"
                >
                  {listing.title}
                  <LinkPending />
                </Link>
              </h2>
              <p className="truncate text-[13px] text-ink-faint">{listing.organizationName}</p>
            </div>
          </div>
          <p className="line-clamp-3 text-[13px] leading-5 text-ink-soft">
            <UserText>{listing.summary}</UserText>
          </p>
        </li>
      ))}
    </ul>
  );
}
