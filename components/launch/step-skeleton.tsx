import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";

/** Until it is known which step can be shown. */
export function StepSkeleton() {
  return (
    <Card>
      <div className="flex flex-col gap-6">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    </Card>
  );
}
