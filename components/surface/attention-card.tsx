import { ArrowUpCircle, CircleAlert, PencilLine, TriangleAlert } from "lucide-react";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { Attention, Note } from "@/lib/domain/surface/attention";

const TONES = {
  danger: { icon: CircleAlert, color: "text-danger", word: "Problem" },
  warning: { icon: TriangleAlert, color: "text-warning", word: "Warning" },
  accent: { icon: ArrowUpCircle, color: "text-accent-text", word: "Update" },
  draft: { icon: PencilLine, color: "text-ink-faint", word: "Draft" },
} as const;

/** What an operator should look at, the worst first. Below the title of a card. */
export function AttentionItems({ attention }: { attention: readonly Attention[] }) {
  return (
    <ul aria-label="Needs attention" className="divide-y divide-line border-t border-line">
      {attention.map((item, index) => (
        <Item key={index} item={item} />
      ))}
    </ul>
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

/** What was edited and not released or submitted. */
export function UnreleasedNotices({ notes }: { notes: readonly Note[] }) {
  return notes.map(({ tone, text, href, action }) => (
    <Notice key={href} tone={tone === "warning" ? tone : "info"} title={text}>
      <TextLink href={href}>{action}</TextLink>
    </Notice>
  ));
}
