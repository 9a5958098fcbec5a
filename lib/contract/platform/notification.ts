import * as z from "zod";
import type { Pages } from "./pages";
import { isNotificationKind, type NotificationKind } from "./notification-kinds";

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
  isFirst: z.boolean(),
  previous: z.string().optional(),
  next: z.string().optional(),
}) satisfies z.ZodType<Pages>;
export type NotificationPage = z.infer<typeof notificationPage>;

/** These, or all up to a moment: notifications that arrive meanwhile stay unread. */
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
