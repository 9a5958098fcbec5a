"use client";

import dynamic from "next/dynamic";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";

const TextDifference = dynamic(
  () => import("../json/text-difference").then(({ TextDifference }) => TextDifference),
  { ssr: false, loading: () => <Skeleton className="h-64" /> },
);

export interface ShownDifference {
  title: string;
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

/** Two texts beside each other, as they were when it was opened. */
export function DifferenceDialog(props: { shown: ShownDifference | undefined; close: () => void }) {
  const { shown, close } = props;
  return (
    <Dialog isOpen={shown !== undefined} onOpenChange={close} title={shown?.title ?? ""} width="full">
      {shown !== undefined && <TextDifference {...shown} />}
    </Dialog>
  );
}
