/** Which requests are people's: the others are not counted as visitors. Pure. */

/** In the names of crawlers, link previews, monitors and tools. Whoever hides is counted as a person, once a day. */
const ROBOTS =
  /bot\b|bot[/;]|crawl|spider|slurp|preview|headless|lighthouse|monitor|uptime|scan|fetch|curl|wget|python|java\/|go-http|node|axios|okhttp|httpclient|facebookexternalhit|whatsapp|telegram|embed/i;

/** Browsers send their name. A request without a name, or with that of a tool, doesn't come from a person. */
export function isRobot(userAgent: string): boolean {
  return !userAgent.startsWith("Mozilla/") || ROBOTS.test(userAgent);
}
