import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/links";
import type { CallView } from "@/lib/contract/insight/call";
import { prettyPrint } from "./call-text";

/** What was sent and what came back, as far as it was recorded. */
export function CallBodies({ call }: { call: CallView }) {
  const { payload, payloadBytes, answer, answerBytes, durationMs } = call;
  return (
    <>
      <Card
        title="Request"
        description={
          <code translate="no" className="font-mono wrap-anywhere">
            {call.target}
          </code>
        }
      >
        <Body
          call={call}
          label="request"
          text={payload}
          bytes={payloadBytes}
          absent="The request has no body."
        />
      </Card>
      <Card title="Response">
        <Body
          call={call}
          label="answer"
          text={answer}
          bytes={answerBytes}
          absent={durationMs === null ? "The app hasn't responded yet." : "No complete response arrived."}
        />
      </Card>
    </>
  );
}

interface BodyProps {
  call: Pick<CallView, "recorded" | "kind">;
  label: string;
  text: string | null;
  bytes: number | null;
  /** The text if there was no body at all. */
  absent: string;
}

export function Body({ call: { recorded, kind }, label, text, bytes, absent }: BodyProps) {
  if (bytes === null) return <p className="text-ink-soft">{absent}</p>;
  if (bytes === 0) return <p className="text-ink-soft">The {label} has an empty body.</p>;
  if (text !== null && text !== "") return <CodeBlock label={label} code={prettyPrint(text)} json />;
  return (
    <p className="text-ink-soft">
      The body was not recorded ({bytes.toLocaleString("en-US")} {bytes === 1 ? "byte" : "bytes"}).{" "}
      {/* Bodies of endpoints are streamed, so there is nothing to turn on for them. */}
      {!recorded && kind !== "endpoint" && (
        <>
          An owner can turn recording on in <TextLink href="/organization/settings">Settings</TextLink>.
        </>
      )}
    </p>
  );
}
