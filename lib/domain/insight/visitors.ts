/** Which requests are people's: the others are not counted as visitors. Pure. */

/** In the names of crawlers, link previews, monitors and tools. Whoever hides is counted as a person, once a day. */
const ROBOTS =
  /bot\b|bot[/;]|crawl|spider|slurp|preview|headless|lighthouse|monitor|uptime|scan|fetch|curl|wget|python|java\/|go-http|node|axios|okhttp|httpclient|facebookexternalhit|whatsapp|telegram|embed/i;

/** A browser names itself; whatever sends no name, or the name of a tool, is no person. */
export function isRobot(userAgent: string): boolean {
  return !userAgent.startsWith("Mozilla/") || ROBOTS.test(userAgent);
}
