import { Card } from "@/components/ui/card";
import {
  CUSTOMER_DAYS,
  FIGURE_CALLS,
  FIGURE_DAYS,
  type ListingFigures,
  sayShare,
} from "@/lib/domain/insight/listing-figures";

interface FiguresCardProps {
  figures: ListingFigures;
  /** How many organizations use it; 0 if too few to be told. */
  usedBy: number;
}

/** What the platform measured, as opposed to what the publisher says. */
export function FiguresCard({ figures: { calls, days }, usedBy }: FiguresCardProps) {
  const shown = [
    ...(calls === null
      ? []
      : [
          { name: "Median response time", value: `${calls.medianMs.toLocaleString("en-US")} ms` },
          { name: "Failed calls", value: sayShare(calls.failedShare) },
        ]),
    ...(days === null ? [] : [{ name: "Healthy days", value: `${days.healthy} of ${days.all}` }]),
    ...(usedBy === 0 ? [] : [{ name: "Used by", value: `${usedBy.toLocaleString("en-US")} organizations` }]),
  ];
  return (
    <Card
      title="Measured by the platform"
      description={`In the last ${FIGURE_DAYS} days. An organization counts once it has had the app for ${CUSTOMER_DAYS} days and the app has answered one of its calls. The publisher's own calls and test calls don't count.`}
    >
      {shown.length > 0 && (
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-6 gap-y-4">
          {shown.map(({ name, value }) => (
            <div key={name}>
              <dt className="text-small text-ink-faint">{name}</dt>
              <dd className="mt-0.5 text-lg font-semibold text-ink tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {calls === null && (
        <p className={`text-small leading-5 text-ink-soft ${shown.length > 0 ? "mt-4" : ""}`}>
          Response times, failures, and healthy days appear here once customers have made {FIGURE_CALLS}{" "}
          calls.
        </p>
      )}
    </Card>
  );
}
