"use client";

import { ArrowDownUp, Minus, Pencil, Plus, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ChangeItem } from "./change-item";
import type { ChangeGroup, Comparison, ShownChange } from "./compare-texts";

const LOOK: Record<ChangeGroup, { title: string; icon: LucideIcon; tone: string }> = {
  added: { title: "Added", icon: Plus, tone: "text-success" },
  changed: { title: "Changed", icon: Pencil, tone: "text-accent-text" },
  moved: { title: "Moved", icon: ArrowDownUp, tone: "text-accent-text" },
  removed: { title: "Removed", icon: Minus, tone: "text-danger" },
};

type Groups = Extract<Comparison, { type: "changes" }>["groups"];

export function ChangeList({ groups }: { groups: Groups }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {groups.map(({ group, changes }) => (
        <Group key={group} group={group} changes={changes} />
      ))}
    </div>
  );
}

const SHOWN = 50;

function Group({ group, changes }: { group: ChangeGroup; changes: readonly ShownChange[] }) {
  const [count, setCount] = useState(SHOWN);
  const { title, icon: Icon, tone } = LOOK[group];
  return (
    <Card
      flush
      title={
        <span className="flex items-center gap-2">
          <Icon aria-hidden className={`size-4 ${tone}`} />
          {title}
          <span className="font-normal text-ink-faint tabular-nums">{changes.length}</span>
        </span>
      }
    >
      <ul className="divide-y divide-line border-t border-line">
        {changes.slice(0, count).map((change) => (
          <ChangeItem key={`${change.kind} ${change.name}`} change={change} />
        ))}
      </ul>
      {changes.length > count && (
        <div className="border-t border-line px-4 py-2 sm:px-6">
          <Button size="small" tone="quiet" className="-ml-3" onPress={() => setCount(count + SHOWN)}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}
