/** Times as people say them, which need no zone. */
const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Of what ends, people count the days: a link that works for 7 days ends "in 7 days", neither "next week" nor "in 6 days". */
const COUNTED = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const AHEAD = STEPS.filter(([unit]) => unit !== "week");

/** `now` in milliseconds. Anything within 45 seconds is "just now", because clocks differ by that much. */
export function relativeTime(moment: Date, now: number): string {
  const seconds = Math.round((moment.getTime() - now) / 1000);
  if (Math.abs(seconds) < 45) return "just now";
  if (seconds > 0) {
    const [unit, length] = AHEAD.find(([, size]) => seconds >= size) ?? (["minute", 60] as const);
    return COUNTED.format(Math.max(1, Math.round(seconds / length)), unit);
  }
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? (["minute", 60] as const);
  return relative.format(Math.trunc(seconds / length) || Math.sign(seconds), unit);
}
