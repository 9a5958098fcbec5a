"use client";

import { useMutation } from "@tanstack/react-query";
import { signIn } from "next-auth/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";

interface IdentityCardProps {
  /** The issuer's name. */
  name: string;
  /** The identities that sign in to this account. */
  identities: readonly { email: string; since: string }[];
  /** The identity that was to be connected signs in to another account. */
  linkedElsewhere: boolean;
}

export function IdentityCard({ name, identities, linkedElsewhere }: IdentityCardProps) {
  const router = useRouter();
  const [leaving, setLeaving] = useState(false);
  const disconnect = useMutation({
    mutationFn: () => callApi("DELETE", "/api/account/identities"),
    onSuccess: () => router.refresh(),
  });
  const connect = () => {
    setLeaving(true);
    void signIn("oidc", { callbackUrl: "/account" }).catch(() => setLeaving(false));
  };
  const isConnected = identities.length > 0;
  return (
    <Card
      title={`Sign in with ${name}`}
      description="Your password keeps working."
      actions={
        isConnected ? (
          <Button size="small" onPress={() => disconnect.mutate()} isPending={disconnect.isPending}>
            Disconnect
          </Button>
        ) : (
          <Button size="small" onPress={connect} isPending={leaving}>
            Connect
          </Button>
        )
      }
    >
      <div className="flex max-w-xl flex-col gap-3 text-sm text-ink-soft">
        {linkedElsewhere && (
          <Notice tone="warning" title="This identity belongs to another account">
            Sign in to that account and disconnect it there first, or use another identity.
          </Notice>
        )}
        {identities.map(({ email, since }) => (
          <p key={`${email} ${since}`}>
            {email === "" ? "Connected" : email}, connected <RelativeTime at={since} />
          </p>
        ))}
        {!isConnected && <p>Not connected.</p>}
        <ProblemNotice error={disconnect.error} />
      </div>
    </Card>
  );
}
