"use client";

import { CircleAlert, CircleCheck, CircleHelp, Layers, ListTree, TriangleAlert } from "lucide-react";
import { memo, useDeferredValue, useMemo, type ReactNode } from "react";
import { FieldError, Input, Text, TextField } from "react-aria-components";
import { focusFieldBeside } from "@/components/configuration-form/marked-issues";
import { SeenMapping } from "@/components/configuration-form/names-shown";
import type { ChangeAnswer } from "@/components/configuration-form/sheet-context";
import { Button } from "@/components/ui/button";
import { FieldLabel, inputStyles } from "@/components/ui/field-parts";
import { isPathField, type MappingField } from "@/lib/contract/manifest";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { checkPath, type PathCheck } from "@/lib/domain/mapping/check-path";
import { findExample } from "@/lib/domain/mapping/find-example";
import type { Suggestion } from "@/lib/domain/mapping/suggest-paths";
import { valueAtPath } from "@/lib/domain/mapping/value-at-path";
import { SuggestedPath } from "./suggestions";

interface Sample {
  data: unknown;
  /** The core gave none: it was generated from the schema. */
  isGenerated: boolean;
}

interface MappingRowProps {
  productName: string;
  schema: unknown;
  /** The best first. */
  suggestions: readonly Suggestion[] | undefined;
  sample: Sample;
  field: MappingField;
  path: string;
  error: string | undefined;
  onChange: ChangeAnswer;
  onPick: (field: MappingField) => void;
}

const SUGGESTIONS = 2;

/** One mapping field of one product: its path, typed or picked, and what the path finds. Text is neither picked nor checked. */
export const MappingRow = memo(function MappingRow(props: MappingRowProps) {
  const { productName, schema, suggestions = [], sample, field, path, error, onChange, onPick } = props;
  const typed = path.trim();
  const isRequired = field.required === true;
  const isPath = isPathField(field);
  const check = useMemo(() => checkPath(schema, typed), [schema, typed]);
  const isChecked = isPath && typed !== "";
  const isInvalid = isChecked && check.result === "invalid";
  const example = useMemo(() => findExample(field.hint), [field.hint]);
  const settled = useDeferredValue(typed);
  const pointer = mappingPointer(productName, field.name);
  return (
    <div data-pointer={pointer} className="flex min-w-0 flex-col gap-1.5">
      <TextField
        value={path}
        onChange={(text) => onChange(pointer, { action: "set", text })}
        isRequired={isRequired}
        isInvalid={error !== undefined || isInvalid}
        validationBehavior="aria"
        className="flex min-w-0 flex-col gap-1.5"
      >
        <FieldLabel isRequired={isRequired}>{field.title}</FieldLabel>
        <span className="flex gap-2">
          <Input
            placeholder={example ?? (isPath ? "Type a path or pick one" : undefined)}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            className={inputStyles({
              mono: true,
              className: example === undefined ? "placeholder:font-sans placeholder:text-sm" : "",
            })}
          />
          {isPath && (
            <Button aria-label={`Pick a field for ${field.title}`} onPress={() => onPick(field)}>
              <ListTree aria-hidden className="size-4" />
              Pick
            </Button>
          )}
        </span>
        <Text
          slot="description"
          elementType="div"
          className="flex flex-col gap-1 text-[13px] leading-5 text-ink-faint"
        >
          {isChecked && <PathResult check={check} />}
          {isChecked && isTryable(check) && <FoundValues path={settled} sample={sample} />}
          {field.hint !== undefined && field.hint !== "" && <Hint text={field.hint} />}
          <SeenMapping field={field} product={productName} path={typed} />
        </Text>
        {/* The description already explains an invalid path. */}
        <FieldError className="text-[13px] leading-5 text-danger">{isInvalid ? "" : error}</FieldError>
      </TextField>
      {typed === "" && suggestions.length > 0 && (
        <div className="flex min-w-0 flex-col">
          {suggestions.slice(0, SUGGESTIONS).map((suggestion) => (
            <SuggestedPath
              key={suggestion.path}
              {...suggestion}
              lead="Suggested:"
              onSelect={(text, button) => {
                focusFieldBeside(button);
                onChange(pointer, { action: "set", text });
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
});

/** What is in backticks is shown as code. */
function Hint({ text }: { text: string }) {
  return (
    <span className="break-words">
      {text.split(/`([^`]+)`/).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <code key={index} className="font-mono text-xs break-all text-ink-soft">
            {part}
          </code>
        ),
      )}
    </span>
  );
}

const STYLES = {
  found: [CircleCheck, "text-success"],
  many: [Layers, "text-warning"],
  unknown: [CircleHelp, "text-ink-soft"],
  "not-in-schema": [TriangleAlert, "text-warning"],
  malformed: [TriangleAlert, "text-warning"],
  unchecked: [CircleHelp, "text-ink-soft"],
  invalid: [CircleAlert, "text-danger"],
} as const satisfies Record<PathCheck["result"], readonly unknown[]>;

/** Only a JSONPath can be tried on the sample. */
function isTryable({ result }: PathCheck): boolean {
  return result !== "invalid" && result !== "malformed" && result !== "unchecked";
}

/** How a path fits the product's schema, announced when it changes. Only an invalid path is refused. */
function PathResult({ check: { result, message } }: { check: PathCheck }) {
  const [Icon, tone] = STYLES[result];
  return (
    <span role="status" className={`flex items-start gap-1.5 ${tone}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        {message}
        {result === "not-in-schema" && " You can still save it if the data has it."}
      </span>
    </span>
  );
}

const SHOWN = 3;
const LONGEST = 80;

/** What the path finds in the sample. */
function FoundValues({ path, sample }: { path: string; sample: Sample }) {
  const { values, more, failure } = useMemo(() => valueAtPath(sample.data, path), [sample.data, path]);
  const source = sample.isGenerated ? "In data generated from the schema" : "In the sample";
  if (values.length === 0) return <Line>{failure ?? `${source}: nothing found.`}</Line>;
  const shown = values.slice(0, SHOWN);
  const rest = values.length - shown.length;
  const others = more ? " and more" : rest > 0 ? ` and ${rest} more` : "";
  return (
    <Line>
      {source}
      {values.length > 1 && ` (${more ? "more than " : ""}${values.length} values)`}:{" "}
      {shown.map((value, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <code className="font-mono text-xs break-all text-ink">{showValue(value)}</code>
        </span>
      ))}
      {others}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="block pl-5.5">{children}</span>;
}

/** Text as it is, anything else as short JSON. */
function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "") return '""';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
