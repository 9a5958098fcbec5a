/** The kinds of notifications. Apart from their shapes, because every page reads them and zod is larger than most pages. */
import type { Role } from "./role";

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

/** Everything that people are notified of. Security emails, such as a changed password, have no preference and are not here. */
export const NOTIFICATION_KINDS = {
  "review-submitted": {
    title: "Reviews to decide",
    description:
      "A publisher submits or withdraws a review, or the checks of a review that you claimed finish.",
    audience: "moderators",
    email: true,
  },
  report: {
    title: "Reported listings",
    description: "Someone reports a problem with a listing.",
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
  "refused-host": {
    title: "Refused connections",
    description: "An app that you publish keeps trying to connect to a host that it can't reach.",
    audience: PUBLISHERS,
    email: false,
  },
  "installation-error": {
    title: "Installations in error",
    description: "An installation of your organization stops working, or recovers.",
    audience: OPERATORS,
    email: true,
  },
  pilot: {
    title: "Pilots",
    description: "Your organization becomes a pilot of an app, or a pilot of your app leaves.",
    audience: ["owner", "publisher", "operator"],
    email: true,
  },
  "launch-request": {
    title: "Requests to launch",
    description: "A member asks to launch an app, or your own request is decided.",
    audience: OPERATORS,
    email: true,
  },
  suspension: {
    title: "Suspensions",
    description: "An app that you publish or use is suspended, reinstated, or retired.",
    audience: ["owner", "publisher", "operator"],
    email: true,
  },
  delivery: {
    title: "Undelivered events",
    description: "Deliveries to an app fail permanently, or an app ends its subscription.",
    audience: OPERATORS,
    email: true,
  },
  "api-key": {
    title: "API keys",
    description: "An API key of your organization expires in a week.",
    audience: PUBLISHERS,
    email: true,
  },
  domain: {
    title: "Verified domains",
    description:
      "The platform can no longer verify one of your organization's domains, or verifies it again.",
    audience: ["owner"],
    email: true,
  },
  membership: {
    title: "Memberships",
    description: "Your role changes, you are removed from an organization, or a member leaves yours.",
    audience: "everyone",
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
