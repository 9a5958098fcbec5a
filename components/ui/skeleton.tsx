/** A gray placeholder; its class sets the size. */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded-field bg-hover ${className}`} />;
}

/** The shape of a page while it loads: a heading and a card of rows. */
export function PageSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="mt-3 mb-8 h-4 w-80 max-w-full" />
      <div className="space-y-5 rounded-card border border-line bg-surface p-6">
        {Array.from({ length: rows }, (_, index) => (
          <Skeleton key={index} className={`h-5 ${index % 2 === 0 ? "w-full" : "w-3/4"}`} />
        ))}
      </div>
    </div>
  );
}
