"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { SelectField } from "@/components/ui/forms/select-field";
import { useZoneChoice } from "@/components/ui/zone";
import { browserZone, exactTime, isZone, nameZone } from "@/lib/domain/platform/zone";

/** Selected as long as nobody chose another zone. */
const BROWSER = "browser";

/** The zone in which this browser's person reads and enters all times. */
export function ZoneCard() {
  const router = useRouter();
  const { zone, chosen, choose } = useZoneChoice();
  const [now] = useState(Date.now);
  return (
    <Card
      title="Time zone"
      description="All times, filters and days are in this zone. The choice applies to this browser."
    >
      <div className="flex max-w-xl flex-col gap-3">
        <SelectField
          label="Time zone"
          isRequired
          options={listZones(zone)}
          value={chosen ? zone : BROWSER}
          onChange={(value) => {
            choose(value === BROWSER ? undefined : value);
            // Days of the audit trail begin at another time.
            router.refresh();
          }}
        />
        <p className="text-small leading-5 text-ink-faint" suppressHydrationWarning>
          Now: {exactTime(now, zone)}
        </p>
      </div>
    </Card>
  );
}

/** By name. The browser's own comes first, and one that the browser doesn't list is kept. */
function listZones(zone: string): { value: string; text: string; detail?: string }[] {
  const names = new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")].filter(isZone));
  return [
    { value: BROWSER, text: "The browser’s", detail: browserZone() },
    ...[...names].sort().map((name) => ({ value: name, text: nameZone(name) })),
  ];
}
