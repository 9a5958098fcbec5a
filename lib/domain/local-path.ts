/**
 * The path that `wanted` names if it is a path or an address of this origin, otherwise `fallback`. Rejects `//evil`,
 * `/\evil`, `\\evil` and addresses of other origins, even if they start like this one.
 */
export function localPath(
  wanted: string | null | undefined,
  fallback: string,
  origin = "http://localhost",
): string {
  if (wanted === undefined || wanted === null) return fallback;
  if (!wanted.startsWith("/") && !wanted.startsWith(`${origin}/`)) return fallback;
  try {
    const url = new URL(wanted, origin);
    const isLocal = url.origin === origin && !url.pathname.startsWith("//");
    return isLocal ? `${url.pathname}${url.search}` : fallback;
  } catch {
    return fallback;
  }
}
