import Link from "next/link";

/** The mark: a host with one app in its dock. */
export function Brand({ href = "/" }: { href?: string }) {
  return (
    <Link
      href={href}
      className="inline-flex items-center gap-2.5 rounded-sm font-semibold tracking-tight text-ink"
    >
      <svg viewBox="0 0 24 24" aria-hidden className="size-6 shrink-0">
        <rect width="24" height="24" rx="6" className="fill-accent" />
        <rect x="6" y="6" width="5" height="5" rx="1.5" fill="#fff" />
        <rect x="13" y="6" width="5" height="5" rx="1.5" fill="#fff" opacity="0.55" />
        <rect x="6" y="13" width="12" height="5" rx="1.5" fill="#fff" opacity="0.8" />
      </svg>
      App Hosting
    </Link>
  );
}
