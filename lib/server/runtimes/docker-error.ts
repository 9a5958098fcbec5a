/** Whether the engine answered with this HTTP status. */
export function isStatus(error: unknown, ...statuses: number[]): boolean {
  return (
    error instanceof Error &&
    "statusCode" in error &&
    typeof error.statusCode === "number" &&
    statuses.includes(error.statusCode)
  );
}

/** True when nothing answered: no socket, no right to use it, or the engine is down. */
export function isUnreachable(error: unknown): boolean {
  const codes = ["ENOENT", "ECONNREFUSED", "EACCES", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND"];
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
  );
}
