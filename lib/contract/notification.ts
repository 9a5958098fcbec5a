import * as z from "zod";
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
    description:
      "A publisher submits an app or a text for review or withdraws it, or the checks of your review end.",
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
  "api-key": {
    title: "API keys",
    description: "An API key of your organization expires in a week.",
    audience: PUBLISHERS,
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

/** Filters of the list, from the URL. Anything unknown means no filter. */
export const notificationFilter = z.object({
  unread: z.literal("1").optional().catch(undefined),
  kind: z.string().refine(isNotificationKind).optional().catch(undefined),
});
export type NotificationFilter = z.infer<typeof notificationFilter>;

export const notificationView = z.object({
  id: z.string(),
  kind: z.string().refine(isNotificationKind),
  title: z.string(),
  body: z.string(),
  href: z.string(),
  /** How often it happened since it was last read. */
  count: z.number(),
  /** When it last happened; ISO 8601. */
  at: z.string(),
  read: z.boolean(),
  /** The organization that it concerns, if it is not the one that the person works in now. */
  elsewhere: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type NotificationView = z.infer<typeof notificationView>;

export const notificationPage = z.object({
  notifications: z.array(notificationView),
  /** All that the person has not read, up to 100. */
  unread: z.number(),
  /** Cursor of the next page. */
  next: z.string().optional(),
});
export type NotificationPage = z.infer<typeof notificationPage>;

/** These, or all that happened up to a moment: what arrives meanwhile stays unread. */
export const readInput = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(100) }),
  z.strictObject({ until: z.iso.datetime(), kind: z.string().refine(isNotificationKind).optional() }),
]);
export type ReadInput = z.infer<typeof readInput>;

export const preferenceInput = z.strictObject({
  kind: z.string().refine(isNotificationKind, "This kind does not exist."),
  inProduct: z.boolean().optional(),
  email: z.boolean().optional(),
});
export type PreferenceInput = z.infer<typeof preferenceInput>;

export interface PreferenceView {
  kind: NotificationKind;
  inProduct: boolean;
  email: boolean;
}
