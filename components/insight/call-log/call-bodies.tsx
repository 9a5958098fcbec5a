import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/links";
import type { CallView } from "@/lib/contract/insight/call";
import { prettyPrint, wholePayload } from "./call-text";

/** What was sent and what came back, as far as it was recorded. */
export function CallBodies({ call }: { call: CallView }) {
  const { payload, payloadBytes, answer, answerBytes, durationMs } = call;
  const target = (
    <code translate="no" className="font-mono wrap-anywhere">
      {call.target}
    </code>
  );
  if (isHidden(payload, payloadBytes) && isHidden(answer, answerBytes))
    return (
      <Card title="Request and response" description={target}>
        <p className="text-ink-soft">
          The bodies were not recorded (request: {formatBytes(payloadBytes)}, response:{" "}
          {formatBytes(answerBytes)}). <HowToRecord call={call} />
        </p>
      </Card>
    );
  return (
    <>
      <Card title="Request" description={target}>
        <Body
          call={call}
          label="request"
          text={payload}
          bytes={payloadBytes}
          absent="The request has no body."
        />
        {wholePayload(call)?.redacted === true && (
          <p className="mt-3 text-small leading-5 text-ink-soft">
            Secrets are replaced by marks such as <code translate="no">[secret: apiKey]</code>.
            {call.address !== null &&
              " The curl command has variables in their place, such as SECRET_apiKey."}
          </p>
        )}
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

/** There was a body, and it was not recorded. */
function isHidden(text: string | null, bytes: number | null): bytes is number {
  return bytes !== null && bytes > 0 && (text === null || text === "");
}

function formatBytes(bytes: number): string {
  return `${bytes.toLocaleString("en-US")} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** Bodies of endpoints are streamed, so there is nothing to turn on for them. */
function HowToRecord({ call: { recorded, kind } }: Pick<BodyProps, "call">) {
  if (recorded || kind === "endpoint") return null;
  return (
    <>
      An owner can turn recording on in <TextLink href="/organization/settings">Settings</TextLink>.
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

export function Body({ call, label, text, bytes, absent }: BodyProps) {
  if (bytes === null) return <p className="text-ink-soft">{absent}</p>;
  if (bytes === 0) return <p className="text-ink-soft">The {label} has an empty body.</p>;
  if (text !== null && text !== "") return <CodeBlock label={label} code={prettyPrint(text)} json />;
  return (
    <p className="text-ink-soft">
      The body was not recorded ({formatBytes(bytes)}). <HowToRecord call={call} />
    </p>
  );
}
