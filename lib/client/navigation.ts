/** Loads the page in full, so that nothing one user saw stays in memory for the next. */
export function leaveFor(path: string): void {
  window.location.assign(path);
}

/**
 * Where this page is at the platform's own address, if it was opened at another: there, the platform takes no sign-in and no
 * changes. The root layout names the address.
 */
export function rightAddress(): string | undefined {
  const { webUrl } = document.documentElement.dataset;
  if (webUrl === undefined || !URL.canParse(webUrl)) return undefined;
  const { origin } = new URL(webUrl);
  if (origin === location.origin) return undefined;
  return origin + location.pathname + location.search + location.hash;
}
