import { CodeBlock } from "@/components/ui/code-block";

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

/** What helps where the platform sends no email. */
export function OperatorHelp() {
  return (
    <div className="flex flex-col gap-3 text-sm text-ink-soft">
      <p>
        This platform sends no email. Ask the person who operates it for a link to set a new password. They
        create it with this command:
      </p>
      <CodeBlock label="Command" wrap code="npm run setup -- --new-password you@company.com" />
      <p>The link works once, for one hour. It doesn&apos;t turn off two-factor sign-in.</p>
    </div>
  );
}
