"use client";

import { type ReactNode, useState } from "react";
import { Checkbox } from "@/components/ui/forms/toggles";
import { Notice } from "@/components/ui/notice";

interface PilotAgreementProps {
  number: string;
  agrees: boolean;
  onChange: (agrees: boolean) => void;
  /** What is missing. */
  error?: string;
}

/** Says what a pilot version is, and asks. */
export function PilotAgreement({ number, agrees, onChange, error }: PilotAgreementProps) {
  return (
    <Notice tone="warning" title={`Pilot version ${number}: not reviewed yet`}>
      <p className="mb-3">
        The publisher lets your organization run this version before a moderator has looked at it. Nobody has
        checked what it does with your data. If it doesn&apos;t pass its review, it keeps running, and you can
        move to the verified version.
      </p>
      <Checkbox name="pilot" value={agrees} onChange={onChange}>
        I agree to run a version that is not reviewed yet
      </Checkbox>
      {error !== undefined && <p className="mt-1 text-small text-danger">{error}</p>}
    </Notice>
  );
}

/** The launch of a pilot version, once the member agrees to it. */
export function PilotGate({ number, children }: { number: string; children: ReactNode }) {
  const [agrees, setAgrees] = useState(false);
  return (
    <div className="flex flex-col gap-6">
      <PilotAgreement number={number} agrees={agrees} onChange={setAgrees} />
      {agrees && children}
    </div>
  );
}
