import { Card } from "@/components/ui/card";
import { formatBytes } from "@/components/ui/values";
import { type CapacityUse, formatCpus, formatMemory } from "@/lib/domain/platform/app-limits";

interface Amount {
  usedBytes: number;
  quotaBytes: number;
}

interface UsageCardProps {
  capacity: CapacityUse;
  storage: Amount;
  pictures: Amount;
  /** How many uploads each gateway accepts at the same time. */
  uploadsAtOnce: number;
}

const NO_ROOM =
  "No more apps can start. Upgrade or stop installations of old versions, or ask the platform's operator for more.";

/** What the organization uses of its quotas. */
export function UsageCard({ capacity, storage, pictures, uploadsAtOnce }: UsageCardProps) {
  const { apps, used, quota } = capacity;
  const bytes = ({ usedBytes, quotaBytes }: Amount) => ({
    used: usedBytes,
    quota: quotaBytes,
    text: `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)} used`,
  });
  const running = apps === 1 ? "1 running app" : `${apps} running apps`;
  return (
    <Card
      title="Usage"
      description="Resources used by the apps and images that this organization publishes. The platform's operator sets the limits."
    >
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <UsageMeter
          name="Memory"
          used={used.memoryBytes}
          quota={quota.memoryBytes}
          text={`${formatMemory(used.memoryBytes)} of ${formatMemory(quota.memoryBytes)} for ${running}`}
          whenFull={NO_ROOM}
        />
        <UsageMeter
          name="CPU"
          used={used.cpus}
          quota={quota.cpus}
          text={`${used.cpus} of ${formatCpus(quota.cpus)} for ${running}`}
          whenFull={NO_ROOM}
        />
        <UsageMeter
          name="Storage"
          {...bytes(storage)}
          whenFull="New images are refused. Ask the platform's operator for more."
        />
        <UsageMeter
          name="Pictures"
          {...bytes(pictures)}
          whenFull="New pictures are refused. Ask the platform's operator for more."
        />
      </div>
      <p className="mt-6 text-small leading-5 text-ink-faint">
        A running version counts all the memory and CPU that its container may use. Each published image is
        kept, so that every version can run; versions of the same image share it. Up to {uploadsAtOnce} images
        can be uploaded at the same time.
      </p>
    </Card>
  );
}

interface UsageMeterProps {
  name: string;
  used: number;
  quota: number;
  /** Both in words, such as "4.2 GB of 20.0 GB used". */
  text: string;
  /** What happens once it is full, and what to do about it. */
  whenFull: string;
}

/** The share of the quota from which a warning is shown. */
const ALMOST_FULL = 0.9;

/** How much of a quota is used, with a warning before it is full. */
function UsageMeter({ name, used, quota, text, whenFull }: UsageMeterProps) {
  const share = Math.min(1, used / quota);
  const isFull = used >= quota;
  const isAlmostFull = share >= ALMOST_FULL;
  return (
    <div className="min-w-0">
      <p className="mb-2 text-sm font-medium text-ink">{name}</p>
      <MeterBar name={name} share={share} text={text} />
      <p className="mt-2 text-small text-ink-soft tabular-nums">{text}</p>
      {isAlmostFull && (
        <p className="mt-1 text-small leading-5 text-warning">
          {isFull ? whenFull : "Almost full. Ask the platform's operator for more."}
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
