"use client";

import { ListTree, Sparkles } from "lucide-react";
import { memo, type ReactNode, useId, useMemo, useState } from "react";
import { FieldError, Input, Text, TextField } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { FieldLabel } from "@/components/ui/forms/fields";
import { FillNote } from "@/components/ui/forms/settings-form";
import { inputStyles, noLogin } from "@/components/ui/forms/input-styles";
import { lazyDialog, lazyPart } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import type { MappingField } from "@/lib/contract/catalog/manifest";
import { isPathField } from "@/lib/contract/platform/manifest-terms";
import { within } from "@/lib/contract/platform/problem";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";
import type { PathNote, PathNotes } from "@/lib/domain/catalog/mapping/check-path";
import { findUnwritable } from "@/lib/domain/catalog/mapping/path-text";
import { createSample } from "@/lib/domain/catalog/mapping/schema-parts";
import { schemaTree } from "@/lib/domain/catalog/mapping/schema-tree";
import { findExample, type Suggestion } from "@/lib/domain/catalog/mapping/suggest-paths";
import { type ChangeAnswer, focusFieldBeside, useSheet } from "./answer-form";
import { type MappedProduct, useCopyFrom } from "./copy-mapping";
import { SeenMapping } from "./names-shown";
import { PathNoteLines, SuggestedPath, useSuggestions } from "./path-notes";
import type { TypedPathNoteProps } from "./typed-path-note";

const PathPicker = lazyDialog(async () => (await import("./path-picker")).PathPicker);

interface MappingFieldsProps {
  product: MappedProduct;
  fields: readonly MappingField[];
  /** What is offered if the product's schema changed. */
  confirm?: ReactNode;
  /** Of stored paths, from the server. */
  notes?: PathNotes[string];
}

/** The mapping of one product: where it stores the data that the app works on. */
export function MappingFields({ product, fields, confirm, notes = {} }: MappingFieldsProps) {
  const { sheet, issues, change, changeAll } = useSheet();
  const { name, schema } = product;
  const [picking, setPicking] = useState<MappingField>();
  const nodes = useMemo(() => schemaTree(schema), [schema]);
  const sample = useMemo(
    () => ({ data: createSample(schema, product.sample), isGenerated: product.sample === undefined }),
    [schema, product.sample],
  );
  const { menu, outcome } = useCopyFrom(product, fields);
  const pathFields = useMemo(() => fields.filter(isPathField), [fields]);
  const suggested = useSuggestions(pathFields, nodes);
  const sure = fields.flatMap((field) => {
    const path = sheet.path(name, field.name).trim() === "" ? suggested.get(field.name)?.sure : undefined;
    return path === undefined ? [] : [{ field, path }];
  });
  const takeSure = () =>
    changeAll(
      sure.map(({ field, path }) => [mappingPointer(name, field.name), { action: "set", text: path }]),
    );
  return (
    <div className="flex min-w-0 flex-col gap-6 wrap-anywhere">
      {product.changedSinceMapped === true && (
        <Notice tone="warning" title={`The schema of ${name} changed since you mapped it`} actions={confirm}>
          Each path below shows whether the new schema has it.
        </Notice>
      )}
      {nodes.length === 0 && pathFields.length > 0 && (
        <Notice>
          The core returned no schema for this product, so there are no fields to select. Type the paths.
        </Notice>
      )}
      {(menu !== false || sure.length > 1) && (
        <div className="flex flex-wrap items-center gap-2">
          {sure.length > 1 && (
            <Button size="small" onPress={takeSure}>
              <Sparkles aria-hidden className="size-4" />
              Use {sure.length} suggestions
            </Button>
          )}
          {menu}
        </div>
      )}
      {outcome}
      {fields.map((field) => (
        <MappingRow
          key={field.name}
          productName={name}
          schema={schema}
          suggestions={suggested.get(field.name)?.suggestions}
          sample={sample}
          field={field}
          path={sheet.path(name, field.name)}
          note={notes[sheet.path(name, field.name)]}
          error={within(issues, mappingPointer(name, field.name))[0]?.message}
          onChange={change}
          onPick={setPicking}
        />
      ))}
      <PathPicker
        isOpen={picking !== undefined}
        onOpenChange={() => setPicking(undefined)}
        product={product}
        nodes={nodes}
        suggestions={(picking && suggested.get(picking.name)?.suggestions) ?? []}
        field={picking}
        path={picking === undefined ? "" : sheet.path(name, picking.name)}
        onSelect={(text) => {
          if (picking !== undefined) change(mappingPointer(name, picking.name), { action: "set", text });
          setPicking(undefined);
        }}
      />
    </div>
  );
}

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
const MappingRow = memo(function MappingRow(props: MappingRowProps) {
  const { productName, schema, suggestions = [], sample, field, path, note, error, onChange, onPick } = props;
  const typed = path.trim();
  const isRequired = field.required === true;
  const isPath = isPathField(field);
  const isChecked = isPath && typed !== "";
  const isInvalid = isChecked && findUnwritable(typed) !== undefined;
  const example = useMemo(() => findExample(field.hint), [field.hint]);
  const pointer = mappingPointer(productName, field.name);
  const id = useId();
  return (
    <div data-pointer={pointer} className="flex min-w-0 flex-col gap-1.5">
      <TextField
        id={id}
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
            {...noLogin(
              inputStyles({
                mono: true,
                className: example === undefined ? "placeholder:font-sans placeholder:text-sm" : "",
              }),
            )}
          />
          {isPath && (
            <Button aria-label={`Pick a field for ${field.title}`} onPress={() => onPick(field)}>
              <ListTree aria-hidden className="size-4" />
              Pick
            </Button>
          )}
        </span>
        <FillNote id={id} label={field.title} onDiscard={() => onChange(pointer, undefined)} />
        <Text
          slot="description"
          elementType="div"
          className="flex flex-col gap-1 text-small leading-5 text-ink-faint"
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
        <FieldError className="text-small leading-5 text-danger">{isInvalid ? "" : error}</FieldError>
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
          <code translate="no" key={index} className="font-mono text-xs wrap-anywhere text-ink-soft">
            {part}
          </code>
        ),
      )}
    </span>
  );
}
