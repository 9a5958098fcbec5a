import { useDev } from "../connection/dev-context";
import { Panel } from "../frame/panel";
import { ReadList } from "./read-list";

const SHOWN = 100;

/** Every read of the state API, newest first. */
export function ReadsArea({ isPanel = false }: { isPanel?: boolean }) {
  const reads = useDev("reads");
  const stateApi = useDev("stateApi");
  return (
    <Panel
      title="State reads"
      isPanel={isPanel}
      description={
        <>
          PLATFORM_STATE_API is <span className="font-mono">{stateApi}</span>. Secrets are masked here, not
          for the app.
        </>
      }
    >
      {reads.length === 0 ? (
        <p className="px-4 py-8 text-center text-[13px] leading-5 text-ink-faint">
          No reads yet. During a call, the app reads the customer&apos;s settings at GET{" "}
          <span className="font-mono">/state/&lt;key&gt;</span>.
        </p>
      ) : (
        <ReadList reads={reads.slice(0, SHOWN)} showsCustomer />
      )}
    </Panel>
  );
}
