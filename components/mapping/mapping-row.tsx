"use client";

import { ListTree } from "lucide-react";
import { memo, useMemo } from "react";
import { FieldError, Input, Text, TextField } from "react-aria-components";
import { focusFieldBeside } from "@/components/configuration-form/marked-issues";
import { SeenMapping } from "@/components/configuration-form/names-shown";
import type { ChangeAnswer } from "@/components/configuration-form/sheet-context";
import { Button } from "@/components/ui/button";
import { FieldLabel, inputStyles } from "@/components/ui/field-parts";
import { lazyPart } from "@/components/ui/lazy-part";
import type { MappingField } from "@/lib/contract/manifest";
import { isPathField } from "@/lib/contract/manifest-terms";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { findExample } from "@/lib/domain/mapping/find-example";
import type { PathNote } from "@/lib/domain/mapping/note-path";
import { findUnwritable } from "@/lib/domain/mapping/path-text";
import type { Suggestion } from "@/lib/domain/mapping/suggest-paths";
import { PathNoteLines } from "./path-note-lines";
import { SuggestedPath } from "./suggestions";
import type { TypedPathNoteProps } from "./typed-path-note";

/** Two lines for a JSONPath, one for any other text. */
const TypedPathNote = lazyPart<TypedPathNoteProps>(
  async () => (await import("./typed-path-note")).TypedPathNote,
  ({ path }) => <span className={path.startsWith("$") ? "h-11" : "h-5"} />,
);

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
  /** What is known of the path without its parser, which is loaded when a path is changed. */
  note: PathNote | undefined;
  error: string | undefined;
  onChange: ChangeAnswer;
  onPick: (field: MappingField) => void;
}

const SUGGESTIONS = 2;

/** One mapping field of one product: its path, typed or picked, and what the path finds. Text is neither picked nor checked. */
export const MappingRow = memo(function MappingRow(props: MappingRowProps) {
  const { productName, schema, suggestions = [], sample, field, path, note, error, onChange, onPick } = props;
  const typed = path.trim();
  const isRequired = field.required === true;
  const isPath = isPathField(field);
  const isChecked = isPath && typed !== "";
  const isInvalid = isChecked && findUnwritable(typed) !== undefined;
  const example = useMemo(() => findExample(field.hint), [field.hint]);
  const pointer = mappingPointer(productName, field.name);
  return (
    <div data-pointer={pointer} className="flex min-w-0 flex-col gap-1.5">
      <TextField
        value={path}
        onChange={(text) => onChange(pointer, { action: "set", text })}
        isRequired={isRequired}
        isInvalid={error !== undefined || isInvalid}
        validationBehavior="aria"
        onFocus={isPath ? TypedPathNote.preload : undefined}
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
          {isChecked &&
            (note === undefined ? (
              <TypedPathNote schema={schema} sample={sample} path={typed} />
            ) : (
              <PathNoteLines note={note} isGenerated={sample.isGenerated} />
            ))}
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
