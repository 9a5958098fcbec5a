export type ApiKeyState = "ACTIVE" | "EXPIRES_SOON" | "EXPIRED" | "REVOKED";

const SOON_MS = 7 * 24 * 60 * 60_000;

/** What a list shows of a key at the time `now`, in milliseconds. */
export function apiKeyState(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  now: number,
): ApiKeyState {
  if (revokedAt !== null) return "REVOKED";
  if (expiresAt === null) return "ACTIVE";
  const left = expiresAt.getTime() - now;
  if (left <= 0) return "EXPIRED";
  return left < SOON_MS ? "EXPIRES_SOON" : "ACTIVE";
}
