"use client";

import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";

/** What could not be read, and the way to try again. */
export function LoadFault(props: { error: unknown; retry: () => void; isPending: boolean }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <ProblemNotice error={props.error} className="w-full" />
      <Button size="small" isPending={props.isPending} onPress={props.retry}>
        <RotateCw aria-hidden className="size-4" />
        Try again
      </Button>
    </div>
  );
}
