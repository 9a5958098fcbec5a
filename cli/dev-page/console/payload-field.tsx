import { RotateCcw, WandSparkles } from "lucide-react";
import type { CheckedPayload } from "@/components/console/check-payload";
import { PayloadNotes } from "@/components/console/payload-notes";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { TextArea } from "@/components/ui/text-fields";
import { formatText } from "@/lib/domain/json-text/text-format";

const ROWS = { least: 8, most: 18 };

interface PayloadFieldProps {
  label: string;
  payload: string;
  checked: CheckedPayload;
  /** Nothing was typed. */
  isSample: boolean;
  isLoading: boolean;
  /** The user tried to send what is not JSON. */
  wasRefused: boolean;
  /** Why there is no sample. */
  error: unknown;
  /** Undefined: back to the sample. */
  onChange: (text: string | undefined) => void;
}

/** JSON to send, with errors and hints about it. */
export function PayloadField(props: PayloadFieldProps) {
  const { label, payload, isSample, isLoading, wasRefused, error, onChange } = props;
  const { parsed, issues } = props.checked;
  const lines = payload.split("\n").length;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextArea
        label={label}
        isRequired
        mono
        rows={Math.min(ROWS.most, Math.max(ROWS.least, lines))}
        value={payload}
        onChange={onChange}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          {!isLoading && (
            <PayloadNotes issues={issues} isBroken={parsed === undefined} wasRefused={wasRefused} />
          )}
          <ProblemNotice error={error} />
        </div>
        <div className="flex gap-1">
          {!isSample && (
            <Button tone="quiet" size="small" onPress={() => onChange(undefined)}>
              <RotateCcw aria-hidden className="size-4" />
              Reset
            </Button>
          )}
          <Button
            tone="quiet"
            size="small"
            isDisabled={parsed === undefined}
            onPress={() => onChange(formatText(payload))}
          >
            <WandSparkles aria-hidden className="size-4" />
            Format
          </Button>
        </div>
      </div>
    </div>
  );
}
