interface UsageMeterProps {
  name: string;
  used: number;
  quota: number;
  /** Both in words, such as "4.2 GB of 20.0 GB used". */
  text: string;
  /** What happens once it is full, and what to do about it. */
  whenFull: string;
}

/** A share of the quota from which on people should know. */
const ALMOST_FULL = 0.9;

/** How much of a quota is used, with a warning before it is full. */
export function UsageMeter({ name, used, quota, text, whenFull }: UsageMeterProps) {
  const share = Math.min(1, used / quota);
  const isFull = used >= quota;
  const isAlmostFull = share >= ALMOST_FULL;
  return (
    <div className="min-w-0">
      <p className="mb-2 text-sm font-medium text-ink">{name}</p>
      <MeterBar name={name} share={share} text={text} />
      <p className="mt-2 text-[13px] text-ink-soft tabular-nums">{text}</p>
      {isAlmostFull && (
        <p className="mt-1 text-[13px] leading-5 text-warning">
          {isFull ? whenFull : "Almost full. Ask the platform’s operator for more."}
        </p>
      )}
    </div>
  );
}

interface MeterBarProps {
  name: string;
  /** From 0 to 1. */
  share: number;
  text: string;
}

export function MeterBar({ name, share, text }: MeterBarProps) {
  return (
    <div
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={text}
      className="h-2 overflow-hidden rounded-full bg-subtle"
    >
      <div
        className={`h-full rounded-full ${share >= ALMOST_FULL ? "bg-warning" : "bg-accent"}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
