import type { Role } from "./organization";

interface KindRules {
  /** In preferences and filters. */
  title: string;
  description: string;
  /** Who can get it; `everyone` includes people without an organization. */
  audience: "everyone" | "moderators" | readonly Role[];
  /** Until the person chooses. */
  email: boolean;
}

const PUBLISHERS = ["owner", "publisher"] as const;
const OPERATORS = ["owner", "operator"] as const;

/** Everything that people are notified of. Security mails, such as a changed password, have no preference and are not here. */
export const NOTIFICATION_KINDS = {
  "review-submitted": {
    title: "Reviews to decide",
    description: "A publisher submits an app or a text for review, or withdraws it.",
    audience: "moderators",
    email: true,
  },
  "review-moved": {
    title: "Your reviews",
    description: "A moderator starts or decides a review of your organization's apps.",
    audience: PUBLISHERS,
    email: true,
  },
  comment: {
    title: "Comments",
    description: "Someone comments on a review that you take part in.",
    audience: "everyone",
    email: true,
  },
  version: {
    title: "Versions",
    description: "A version of your app is ready to submit, or its checks failed.",
    audience: PUBLISHERS,
    email: false,
  },
  "app-error": {
    title: "Apps in error",
    description: "An app that you publish stops working, or recovers.",
    audience: PUBLISHERS,
    email: true,
  },
  "installation-error": {
    title: "Installations in error",
    description: "An installation of your organization stops working, or recovers.",
    audience: OPERATORS,
    email: true,
  },
  suspension: {
    title: "Suspensions",
    description: "An app that you publish or use is suspended, reinstated or retired.",
    audience: ["owner", "publisher", "operator"],
    email: true,
  },
  delivery: {
    title: "Undelivered events",
    description: "Deliveries to an app fail for good, or an app ends its subscription.",
    audience: OPERATORS,
    email: true,
  },
  invitation: {
    title: "Invitations",
    description: "Someone invites you to an organization, or accepts your invitation.",
    audience: "everyone",
    email: true,
  },
} as const satisfies Record<string, KindRules>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

export function isNotificationKind(text: string): text is NotificationKind {
  return Object.hasOwn(NOTIFICATION_KINDS, text);
}
