"use client";

import { useMutation } from "@tanstack/react-query";
import { signIn } from "next-auth/react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormPasswordField, lazyResolver } from "@/components/ui/forms/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Toast } from "@/components/ui/toast";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { PasswordChangeInput, SessionView } from "@/lib/contract/accounts/account";

const EMPTY: PasswordChangeInput = { currentPassword: "", password: "" };

export function PasswordCard() {
  const router = useRouter();
  const { control, handleSubmit, reset, setError } = useForm<PasswordChangeInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).passwordChangeInput),
    defaultValues: EMPTY,
  });
  const change = useMutation({
    mutationFn: (input: PasswordChangeInput) => callApi("PUT", "/api/account/password", { body: input }),
    onSuccess: () => {
      reset();
      router.refresh();
    },
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  return (
    <Card title="Password" description="Changing your password ends all your other sessions.">
      <form
        onSubmit={handleSubmit((input) => change.mutate(input))}
        noValidate
        method="post"
        className="flex max-w-xl flex-col gap-4"
      >
        <FormPasswordField
          control={control}
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          isRequired
        />
        <FormPasswordField
          control={control}
          name="password"
          label="New password"
          hint="At least 10 characters. Several unrelated words work well."
          autoComplete="new-password"
          isRequired
        />
        <ProblemNotice error={withoutShownIssues(change.error, EMPTY)} />
        <div>
          <Button type="submit" isPending={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
      <Toast isShown={change.isSuccess} onClose={change.reset}>
        Password changed. Your other sessions were ended.
      </Toast>
    </Card>
  );
}

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

interface SessionsCardProps {
  /** A page of them. */
  sessions: readonly SessionView[];
  /** To the others. */
  pager?: ReactNode;
}

export function SessionsCard({ sessions, pager }: SessionsCardProps) {
  const router = useRouter();
  const end = useMutation({
    // Without an id: all others.
    mutationFn: (sessionId: string | undefined) =>
      callApi("DELETE", sessionId === undefined ? SESSIONS : `${SESSIONS}/${sessionId}`),
    onSettled: () => router.refresh(),
  });
  return (
    <Card
      flush
      title="Sessions"
      description="Browsers where you are signed in. A session ends after 12 hours."
      actions={
        sessions.some(({ current }) => !current) && (
          <Button
            size="small"
            onPress={() => end.mutate(undefined)}
            isPending={end.isPending && end.variables === undefined}
          >
            End all others
          </Button>
        )
      }
    >
      {end.error !== null && (
        <div className="px-4 pb-4 sm:px-6">
          <ProblemNotice error={end.error} />
        </div>
      )}
      <Table label="Sessions">
        <TableHead columns={["Device", "Network", "Signed in", "Last seen", ""]} />
        <TableBody>
          {sessions.map((session) => (
            <TableRow key={session.id}>
              <TableCell className="font-medium text-ink">
                <span className="inline-flex flex-wrap items-center gap-2">
                  {session.device}
                  {session.current && <Badge tone="accent">This browser</Badge>}
                </span>
              </TableCell>
              <TableCell translate="no" label="Network" className="font-mono text-small text-ink-soft">
                {session.network === "" ? "Unknown" : session.network}
              </TableCell>
              <TableCell label="Signed in" className="text-ink-soft">
                <RelativeTime at={session.createdAt} />
                {session.signedInBy === "OIDC" && " with single sign-on"}
              </TableCell>
              <TableCell label="Last seen" className="text-ink-soft">
                <RelativeTime at={session.lastSeenAt} />
              </TableCell>
              <TableCell className="sm:text-right">
                {!session.current && (
                  <Button
                    size="small"
                    aria-label={`End session of ${session.device}`}
                    onPress={() => end.mutate(session.id)}
                    isPending={end.isPending && end.variables === session.id}
                  >
                    End
                  </Button>
                )}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      <div className="px-4 pb-4 empty:hidden sm:px-6">{pager}</div>
    </Card>
  );
}

const SESSIONS = "/api/account/sessions";
