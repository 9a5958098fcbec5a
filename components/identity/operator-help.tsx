import { CodeBlock } from "@/components/ui/code-block";

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
