/** Something on the home page that needs attention. */
export interface Attention {
  tone: "danger" | "warning" | "accent" | "draft";
  /** The app. */
  title: string;
  /** What it is about, such as the tenant. */
  context: string;
  text: string;
  at: Date | undefined;
  href: string;
  /** What to do there. */
  action: string;
}
