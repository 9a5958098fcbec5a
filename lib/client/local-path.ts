/** Where to go after signing in: a path of this origin, or `fallback`. `//evil`, `/\evil` and other origins do not pass. */
export function localPath(wanted: string | undefined, fallback: string): string {
  if (wanted === undefined || !wanted.startsWith("/")) return fallback;
  try {
    const here = "http://localhost";
    const url = new URL(wanted, here);
    return url.origin === here && !url.pathname.startsWith("//") ? `${url.pathname}${url.search}` : fallback;
  } catch {
    return fallback;
  }
}
