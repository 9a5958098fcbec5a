"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { SelectField } from "@/components/ui/forms/select-field";
import { useZoneChoice } from "@/components/ui/zone";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { isZone } from "@/lib/contract/platform/time-range";
import { browserZone, exactTime, nameZone } from "@/lib/domain/platform/zone";

/** Selected as long as nobody chose another zone. */
const BROWSER = "browser";

/** The zone in which the user reads and enters all times, in each browser and in emails. */
export function ZoneCard() {
  const router = useRouter();
  const { zone, chosen, choose } = useZoneChoice();
  const [now] = useState(Date.now);
  const save = useMutation({
    mutationFn: (changed: string | undefined) =>
      callApi("PUT", "/api/account/zone", { body: { zone: changed ?? null } }),
    onSuccess: (_answer, changed) => {
      choose(changed);
      // Days of the audit trail begin at another time.
      router.refresh();
    },
  });
  return (
    <Card
      title="Time zone"
      description="All times, filters, and days use this zone, in emails and in every browser where you sign in."
    >
      <div className="flex max-w-xl flex-col gap-3">
        <SelectField
          label="Time zone"
          isRequired
          options={listZones(zone)}
          value={chosen ? zone : BROWSER}
          onChange={(value) => save.mutate(value === BROWSER ? undefined : value)}
        />
        <p className="text-small leading-5 text-ink-faint" suppressHydrationWarning>
          Now: {exactTime(now, zone)}
        </p>
        {!chosen && (
          <p className="text-small leading-5 text-ink-faint">Emails use UTC until you choose a zone.</p>
        )}
        <ProblemNotice error={save.error} />
      </div>
    </Card>
  );
}

/** By name. The browser's own comes first, and one that the browser doesn't list is kept. */
function listZones(zone: string): { value: string; text: string; detail?: string }[] {
  const names = new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")].filter(isZone));
  return [
    { value: BROWSER, text: "The browser's", detail: browserZone() },
    ...[...names].sort().map((name) => ({ value: name, text: nameZone(name) })),
  ];
}
