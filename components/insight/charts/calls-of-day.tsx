import { PageLink } from "@/components/ui/links";
import type { CallsOfDay } from "@/lib/domain/insight/calls-of-day";

const WIDTH = 96;
const HEIGHT = 24;
/** So that the ends of the lines are not cut. */
const EDGE = 1.5;

interface CallsOfDayProps {
  day: CallsOfDay;
  /** Where the calls are listed; without it, nothing is linked. */
  href?: string;
  /** Where those that failed are listed. */
  failedHref?: string;
}

/** Calls and failures of the last 24 hours, as a small line and in numbers. */
export function CallsOfDayView({ day, href, failedHref }: CallsOfDayProps) {
  const { calls, failed } = day;
  if (calls === 0) return <span className="text-small whitespace-nowrap text-ink-faint">No calls</span>;
  const total = `${calls.toLocaleString("en-US")} ${calls === 1 ? "call" : "calls"}`;
  const failures = `${failed.toLocaleString("en-US")} failed`;
  return (
    <span className="inline-flex items-center gap-3 align-middle text-small leading-5 whitespace-nowrap tabular-nums">
      <Sparkline day={day} />
      <span>
        <Figure href={href} className="text-ink">
          {total}
        </Figure>
        {failed > 0 && (
          <Figure href={failedHref} className="font-medium text-danger">
            {failures}
          </Figure>
        )}
      </span>
    </span>
  );
}

function Figure({ href, className, children }: { href?: string; className: string; children: string }) {
  if (href === undefined) return <span className={`block ${className}`}>{children}</span>;
  return (
    <PageLink href={href} className={`block w-fit rounded-sm py-0.5 hover:underline ${className}`}>
      {children}
    </PageLink>
  );
}

/** Only for the eye: the numbers are beside it. Failures rise from the bottom at the scale of the calls, and are never invisible. */
function Sparkline({ day: { hours } }: { day: CallsOfDay }) {
  const most = Math.max(1, ...hours.map(({ calls }) => calls));
  const x = (index: number) => round(EDGE + (index / (hours.length - 1)) * (WIDTH - 2 * EDGE));
  const height = (count: number) => (count / most) * (HEIGHT - 2 * EDGE);
  const line = hours.map(({ calls }, index) => `${x(index)} ${round(HEIGHT - EDGE - height(calls))}`);
  const bars = hours.flatMap(({ failed }, index) =>
    failed === 0 ? [] : [`M${x(index)} ${HEIGHT}v-${round(Math.max(6, height(failed)))}`],
  );
  return (
    <svg
      aria-hidden
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      className="shrink-0 overflow-visible"
    >
      <path
        d={`M${line.join("L")}`}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent-text"
      />
      {bars.length > 0 && <path d={bars.join("")} strokeWidth="2.5" className="stroke-danger" />}
    </svg>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;
