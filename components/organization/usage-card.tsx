import { formatBytes } from "@/components/listing/facts";
import { Card } from "@/components/ui/card";
import { UsageMeter } from "@/components/ui/usage-meter";
import { formatCpus, formatMemory, type CapacityUse } from "@/lib/domain/capacity";

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
  "More apps can’t start. Upgrade or stop installations of old versions, or ask the platform’s operator for more.";

/** What the organization uses of what the platform allows it. */
export function UsageCard({ capacity, storage, pictures, uploadsAtOnce }: UsageCardProps) {
  const { apps, used, quota } = capacity;
  const bytes = ({ usedBytes, quotaBytes }: Amount) => ({
    ...{ used: usedBytes, quota: quotaBytes },
    text: `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)} used`,
  });
  const running = apps === 1 ? "1 running app" : `${apps} running apps`;
  return (
    <Card
      title="Usage"
      description="What the apps and images that this organization publishes take up. The platform’s operator sets the limits."
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
          whenFull="New images are refused. Ask the platform’s operator for more."
        />
        <UsageMeter
          name="Pictures"
          {...bytes(pictures)}
          whenFull="New pictures are refused. Ask the platform’s operator for more."
        />
      </div>
      <p className="mt-6 text-[13px] leading-5 text-ink-faint">
        A running version counts with all the memory and CPU that its container may use. Each published image
        is kept, so that every version can run; versions of the same image share it. Up to {uploadsAtOnce}{" "}
        images can be uploaded at the same time.
      </p>
    </Card>
  );
}
