const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** “2 days”, “5 hours”, “a minute”: rounded up, in the largest unit that fits. */
export function formatDuration(ms: number): string {
  const [unit, length] = STEPS.find(([, size]) => ms >= size) ?? (["minute", 60_000] as const);
  const count = Math.ceil(ms / length);
  return count <= 1 ? `${unit === "hour" ? "an" : "a"} ${unit}` : `${count} ${unit}s`;
}
