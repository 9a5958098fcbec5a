/** Why signing in at an issuer did not work. `error`: from the URL, so it may be anything. */
export function explainRefusal(error: string | undefined, issuerName: string): string | undefined {
  if (error === undefined) return undefined;
  if (error === "link-first")
    return `Your account is not connected to ${issuerName} yet. Sign in with your password, then connect it on your account page.`;
  if (error === "AccessDenied") return `${issuerName} denied you access. Ask its administrator for access.`;
  if (error.startsWith("OAuth") || error === "Callback")
    return `Signing in with ${issuerName} failed. Try again. If it keeps failing, contact the operator of this platform.`;
  return undefined;
}
