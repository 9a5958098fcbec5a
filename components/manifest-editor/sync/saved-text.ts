import { relativeTime } from "@/components/ui/time-text";

/** "Saved 3 s ago". Both in milliseconds. */
export function savedText(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 2) return "Saved just now";
  if (seconds < 60) return `Saved ${seconds} s ago`;
  if (seconds < 3600) return `Saved ${Math.floor(seconds / 60)} min ago`;
  return `Saved ${relativeTime(new Date(at), now)}`;
}

/** How long the words stay true. */
export function savedTextLasts(at: number, now: number): number {
  return now - at < 60_000 ? 1_000 : 30_000;
}
