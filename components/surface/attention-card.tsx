import { ArrowUpCircle, CircleAlert, CircleCheck, PencilLine, TriangleAlert } from "lucide-react";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { Attention } from "@/lib/domain/surface/attention";

const SHOWN = 12;

const TONES = {
  danger: { icon: CircleAlert, color: "text-danger", word: "Problem" },
  warning: { icon: TriangleAlert, color: "text-warning", word: "Warning" },
  accent: { icon: ArrowUpCircle, color: "text-accent-text", word: "Update" },
  draft: { icon: PencilLine, color: "text-ink-faint", word: "Draft" },
} as const;

interface AttentionCardProps {
  attention: readonly Attention[];
  /** How many older installations are not looked at. */
  unchecked: number;
  publishes: boolean;
}

/** The worst first. */
export function AttentionCard({ attention, unchecked, publishes }: AttentionCardProps) {
  if (attention.length === 0)
    return (
      <Card flush>
        <EmptyState icon={CircleCheck} title="Nothing needs attention">
          Apps that fail, reviews that come back, new versions, and unreleased drafts appear here.
          {unchecked > 0 && " "}
          {unchecked > 0 && <Unchecked count={unchecked} />}
        </EmptyState>
      </Card>
    );
  const more = attention.length - SHOWN;
  return (
    <Card flush title="Needs attention">
      <AttentionItems attention={attention.slice(0, SHOWN)} />
      {more > 0 && (
        <p className="border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">
          {more} more are with your <TextLink href="/installations">installations</TextLink>
          {publishes && (
            <>
              {" "}
              and <TextLink href="/publish">listings</TextLink>
            </>
          )}
          .
        </p>
      )}
      {unchecked > 0 && (
        <p className="border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">
          <Unchecked count={unchecked} />
        </p>
      )}
    </Card>
  );
}

/** Below the title of a card. */
export function AttentionItems({ attention }: { attention: readonly Attention[] }) {
  return (
    <ul aria-label="Needs attention" className="divide-y divide-line border-t border-line">
      {attention.map((item, index) => (
        <Item key={index} item={item} />
      ))}
    </ul>
  );
}

function Unchecked({ count }: { count: number }) {
  return (
    <>
      {count === 1 ? "1 older installation is" : `${count.toLocaleString("en-US")} older installations are`}{" "}
      not checked here: see <TextLink href="/installations">all installations</TextLink>.
    </>
  );
}

function Item({ item: { tone, title, context, text, at, href, action } }: { item: Attention }) {
  const { icon: Icon, color, word } = TONES[tone];
  return (
    <li className="flex flex-col gap-3 px-4 py-4 sm:flex-row sm:items-center sm:px-6">
      <div className="flex min-w-0 flex-1 gap-3">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
        <div className="min-w-0">
          <p className="wrap-anywhere">
            <span className="sr-only">{word}: </span>
            <UserText className="font-medium text-ink">{title}</UserText>
            <span className="text-small text-ink-faint"> · {context}</span>
          </p>
          <p className="line-clamp-2 text-small leading-5 wrap-anywhere text-ink-soft">
            <UserText>{text}</UserText>
          </p>
          {at !== undefined && (
            <p className="text-xs leading-5 text-ink-faint">
              <RelativeTime at={at} />
            </p>
          )}
        </div>
      </div>
      <LinkButton
        size="small"
        href={href}
        aria-label={`${action}: ${title}`}
        className="self-start sm:self-center"
      >
        {action}
      </LinkButton>
    </li>
  );
}
