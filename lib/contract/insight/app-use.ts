/** How an app is found and used, as its publisher sees it. */

/** `view`: somebody opened the listing. `launch`: somebody opened the launch of the app. */
export const VISIT_KINDS = ["view", "launch"] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];
