"use client";

import { ArrowUpCircle, Undo2, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { InstallationView } from "@/lib/contract/installation-view";
import { isMoving } from "@/lib/domain/installation";
import { UpgradeNotice } from "../upgrade-notice";
import { describeUpgrade, upgradePath } from "../labels";
import { isUpgrading } from "../labels";

interface UpgradeCardProps {
  installation: InstallationView;
  /** Whether the user may upgrade it. */
  operable: boolean;
  /** Milliseconds. */
  now: number;
}

/** An upgrade in progress, an available version, and a way to roll back. Nothing if there are none. */
export function UpgradeCard({ installation, operable, now }: UpgradeCardProps) {
  const { id, version, upgrade, upgradeTo, rollbackTo, test } = installation;
  const news = describeUpgrade(installation, now);
  const movable = !isUpgrading(installation) && !isMoving(installation.state);
  const offered = movable && installation.state !== "UNINSTALLED";
  // A failed upgrade offers its own target again.
  const newer = offered && (news?.kind !== "failed" || upgrade?.to !== upgradeTo?.number) ? upgradeTo : null;
  const back = offered && (news?.kind !== "failed" || upgrade?.to !== rollbackTo?.number) ? rollbackTo : null;
  if (news === undefined && newer === null && back === null) return null;
  return (
    <Card title="Upgrade" flush>
      <ul className="divide-y divide-line border-t border-line">
        {news !== undefined && upgrade !== null && (
          <li className="px-4 py-4 sm:px-6">
            <UpgradeNotice installation={installation} upgrade={upgrade} news={news} operable={operable} />
          </li>
        )}
        {newer !== null && (
          <Row
            icon={ArrowUpCircle}
            title={`Version ${newer.number} is available`}
            action={
              <LinkButton
                tone={operable ? "primary" : "secondary"}
                size="small"
                href={upgradePath(id, newer.versionId)}
              >
                Review changes
              </LinkButton>
            }
          >
            {test ? "Published" : "Verified and published"} <RelativeTime at={newer.publishedAt} />. This
            installation stays on {version} until {operable ? "you upgrade" : "an operator or owner upgrades"}{" "}
            it.
          </Row>
        )}
        {back !== null && (
          <Row
            icon={Undo2}
            title={`Previous version: ${back.number}`}
            action={
              operable && (
                <LinkButton size="small" href={upgradePath(id, back.versionId)}>
                  Roll back to {back.number}
                </LinkButton>
              )
            }
          >
            Settings that {version} no longer uses are kept for a rollback. Secrets are kept only until a
            later version has run.
          </Row>
        )}
      </ul>
    </Card>
  );
}

interface RowProps {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

function Row({ icon: Icon, title, children, action }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-6">
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        <div className="min-w-0">
          <p className="font-medium break-words text-ink">{title}</p>
          <p className="mt-0.5 text-[13px] leading-5 text-ink-soft">{children}</p>
        </div>
      </div>
      <div className="ml-7 flex flex-wrap gap-2 sm:ml-0">{action}</div>
    </li>
  );
}
