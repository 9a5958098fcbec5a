"use client";

import { Copy } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyTextButton } from "@/components/ui/code-block";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import type { ConfirmPasswordInput, SecondFactorSetup } from "@/lib/contract/accounts/account";

const PasswordDialog = lazyDialog(async () => (await import("./password-dialog")).PasswordDialog);
const SetUpDialog = lazyDialog(async () => (await import("./set-up-second-factor")).SetUpDialog);
const loadContract = () => import("@/lib/contract/accounts/account");

interface SecondFactorCardProps {
  /** ISO 8601; undefined if it is off. */
  since?: string;
  recoveryCodesLeft: number;
  /** The organization that requires it, if it is off. */
  requiredBy?: string;
}

type Asked = "set-up" | "renew" | "remove";

/** So few that the user should create new ones. */
const FEW_CODES = 3;

export function SecondFactorCard({ since, recoveryCodesLeft, requiredBy }: SecondFactorCardProps) {
  const router = useRouter();
  const [asked, setAsked] = useState<Asked>();
  const [setup, setSetup] = useState<SecondFactorSetup>();
  const [codes, setCodes] = useState<string[]>();
  const show = (recoveryCodes: string[]) => {
    setAsked(undefined);
    setSetup(undefined);
    setCodes(recoveryCodes);
    router.refresh();
  };
  const begin = async (body: ConfirmPasswordInput) => {
    setSetup(
      await callApi("POST", "/api/account/second-factor", {
        body,
        answer: async () => (await loadContract()).secondFactorSetup,
      }),
    );
    setAsked(undefined);
  };
  const renew = async (body: ConfirmPasswordInput) => {
    const answer = async () => (await loadContract()).recoveryCodes;
    const path = "/api/account/second-factor/recovery-codes";
    show((await callApi("POST", path, { body, answer })).recoveryCodes);
  };
  const remove = async (body: ConfirmPasswordInput) => {
    await callApi("POST", "/api/account/second-factor/remove", { body });
    setAsked(undefined);
    setCodes(undefined);
    router.refresh();
  };
  const isOn = since !== undefined;
  return (
    <Card
      id="second-factor"
      title={
        <span className="inline-flex items-center gap-2">
          Two-factor sign-in {isOn && <Badge tone="success">On</Badge>}
        </span>
      }
      description="Signing in also requires a code from an app on your phone."
      actions={
        codes !== undefined ? undefined : isOn ? (
          <>
            <Button size="small" onPress={() => setAsked("renew")}>
              New recovery codes
            </Button>
            <Button size="small" onPress={() => setAsked("remove")}>
              Turn off
            </Button>
          </>
        ) : (
          <Button size="small" tone="primary" onPress={() => setAsked("set-up")}>
            Set up
          </Button>
        )
      }
    >
      <div className="flex max-w-xl flex-col gap-4 text-sm text-ink-soft">
        {requiredBy !== undefined && codes === undefined && (
          <Notice tone="warning" title={`${requiredBy} requires two-factor sign-in`}>
            You can&apos;t open the organization&apos;s pages until you set it up.
          </Notice>
        )}
        {codes !== undefined && <RecoveryCodeList codes={codes} onSaved={() => setCodes(undefined)} />}
        {codes === undefined && <Status since={since} recoveryCodesLeft={recoveryCodesLeft} />}
      </div>
      <PasswordDialog
        isOpen={asked === "set-up"}
        onOpenChange={() => setAsked(undefined)}
        title="Set up two-factor sign-in"
        confirmText="Continue"
        onConfirm={begin}
      >
        You need an authenticator app on your phone.
      </PasswordDialog>
      <PasswordDialog
        isOpen={asked === "renew"}
        onOpenChange={() => setAsked(undefined)}
        title="Create new recovery codes?"
        confirmText="Create codes"
        onConfirm={renew}
      >
        Your current codes will stop working.
      </PasswordDialog>
      <PasswordDialog
        isOpen={asked === "remove"}
        onOpenChange={() => setAsked(undefined)}
        title="Turn off two-factor sign-in?"
        confirmText="Turn off"
        tone="danger"
        onConfirm={remove}
      >
        You will sign in with only your password. Your recovery codes will stop working.
      </PasswordDialog>
      {setup !== undefined && (
        <SetUpDialog isOpen onOpenChange={() => setSetup(undefined)} setup={setup} onDone={show} />
      )}
    </Card>
  );
}

function Status({ since, recoveryCodesLeft }: Pick<SecondFactorCardProps, "since" | "recoveryCodesLeft">) {
  if (since === undefined) return <p>Off. Anyone who learns your password can sign in to your account.</p>;
  const left = `${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? "code" : "codes"} left.`;
  return (
    <>
      <p>
        Turned on <RelativeTime at={since} />. {left}
      </p>
      {recoveryCodesLeft < FEW_CODES && (
        <Notice tone="warning">Create new recovery codes before you run out of them.</Notice>
      )}
    </>
  );
}

/** Shown once: only hashes of them are stored. */
function RecoveryCodeList({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Save these recovery codes now">
        Each code signs you in once if you lose your phone. You won&apos;t see them again, so store them where
        you keep your passwords.
      </Notice>
      <ul
        translate="no"
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-field border border-line bg-subtle p-3 font-mono text-small text-ink sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyTextButton icon={Copy} create={() => codes.join("\n")}>
          Copy codes
        </CopyTextButton>
        <Button size="small" tone="primary" onPress={onSaved}>
          I saved them
        </Button>
      </div>
    </div>
  );
}
