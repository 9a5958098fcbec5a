"use client";

import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { Broken } from "@/components/shell/broken";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return <Broken digest={error.digest} retry={retry} />;
}
