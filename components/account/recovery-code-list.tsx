import { Copy } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyTextButton } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";

/** Shown once: only hashes of them are stored. */
export function RecoveryCodeList({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Save these recovery codes now">
        Each code signs you in once if you lose your phone. You won&apos;t see them again, so store them where
        you keep your passwords.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-field border border-line bg-subtle p-3 font-mono text-[13px] text-ink sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyTextButton icon={Copy} create={() => codes.join("\n")}>
          Copy codes
        </CopyTextButton>
        <Button size="small" tone="primary" onPress={onSaved}>
          I saved them
        </Button>
      </div>
    </div>
  );
}
