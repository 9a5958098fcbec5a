import { Notice } from "@/components/ui/notice";
import type { InstallationView } from "@/lib/contract/installation-view";
import { LongText } from "./long-text";
import { stateWords } from "./state-words";

/** The state in words, where it is not simply running. */
export function StateNotice({ installation }: { installation: InstallationView }) {
  const words = stateWords(installation);
  if (words === undefined) return null;
  return (
    <Notice tone={words.tone} title={words.title}>
      {words.reason !== undefined && (
        <LongText label="Reason" className="mb-1">
          {words.reason}
        </LongText>
      )}
      <p>{words.text}</p>
    </Notice>
  );
}
