const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["CriOS", "Chrome"],
  ["FxiOS", "Firefox"],
  ["Safari", "Safari"],
  ["curl", "curl"],
] as const;

const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Macintosh", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Browser and system of a `User-Agent`, such as "Firefox on Windows", to tell one's own sessions apart. */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(([token]) => userAgent.includes(`${token}/`))?.[1];
  const system = SYSTEMS.find(([token]) => userAgent.includes(token))?.[1];
  if (browser === undefined && system === undefined) return "Unknown device";
  if (browser === undefined) return system ?? "";
  return system === undefined ? browser : `${browser} on ${system}`;
}
