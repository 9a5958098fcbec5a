"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { callApi } from "@/lib/client/api";
import type { SessionView } from "@/lib/contract/account";

export function SessionsCard({ sessions }: { sessions: readonly SessionView[] }) {
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
        sessions.length > 1 && (
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
              <TableCell label="Network" className="font-mono text-[13px] text-ink-soft">
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
    </Card>
  );
}

const SESSIONS = "/api/account/sessions";
