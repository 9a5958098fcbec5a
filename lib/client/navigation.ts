/** Where to go after sign-in: `wanted` if it is a path of this origin, otherwise `fallback`. Rejects `//evil`, `/\evil` and other origins. */
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

/** Loads the page in full, so that nothing one user saw stays in memory for the next. */
export function leaveFor(path: string): void {
  window.location.assign(path);
}
