"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTransition } from "react";
import { SelectField } from "@/components/ui/select-field";
import type { LaunchOffer } from "./launch-draft";

interface VersionChoiceProps {
  versions: NonNullable<LaunchOffer["versions"]>;
  value: string;
}

/** The version that a Test Launch runs. Answers stay as far as the other version asks for them. */
export function VersionChoice({ versions, value }: VersionChoiceProps) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const [isPending, start] = useTransition();
  const choose = (versionId: string) => {
    const query = new URLSearchParams(search);
    query.set("version", versionId);
    start(() => router.replace(`${pathname}?${query}`, { scroll: false }));
  };
  return (
    <SelectField
      label="Version to run"
      isRequired
      isDisabled={isPending}
      options={versions.map(({ versionId, number, verified }, index) => ({
        value: versionId,
        text: `${number} (${index === 0 ? "newest, " : ""}${verified ? "verified" : "not verified"})`,
      }))}
      value={value}
      onChange={choose}
      className="mt-3 max-w-60"
    />
  );
}
