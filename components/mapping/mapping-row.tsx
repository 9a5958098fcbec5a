"use client";

import { focusFieldBeside } from "@/components/configuration-form/focus-fields";
import { ListTree } from "lucide-react";
import { memo, useDeferredValue, useMemo } from "react";
import { FieldError, Input, Text, TextField } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { FieldLabel, inputStyles } from "@/components/ui/field-parts";
import type { MappingField } from "@/lib/contract/manifest";
import { checkPath } from "@/lib/domain/mapping/check-path";
import type { Suggestion } from "@/lib/domain/mapping/suggest-paths";
import { pointerTo } from "@/lib/contract/pointer";
import { PathFound, type Sample } from "./path-found";
import { PathVerdict } from "./path-verdict";
import { SeenMapping } from "@/components/configuration-form/seen-by-app";
import { SuggestedPath } from "./suggested-path";

interface MappingRowProps {
  productName: string;
  schema: unknown;
  /** The best first. */
  suggestions: readonly Suggestion[] | undefined;
  sample: Sample;
  field: MappingField;
  path: string;
  error: string | undefined;
  onChange: (field: MappingField, path: string) => void;
  onPick: (field: MappingField) => void;
}

const SUGGESTIONS = 2;

/** One mapping field of one product: a path that is typed or picked, and what there is to say of it. */
export const MappingRow = memo(function MappingRow(props: MappingRowProps) {
  const { productName, schema, suggestions = [], sample, field, path, error, onChange, onPick } = props;
  const typed = path.trim();
  const isRequired = field.required === true;
  const check = useMemo(() => checkPath(schema, typed), [schema, typed]);
  const settled = useDeferredValue(typed);
  return (
    <div
      data-pointer={pointerTo("mappings", productName, field.name)}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <TextField
        value={path}
        onChange={(text) => onChange(field, text)}
        isRequired={isRequired}
        isInvalid={error !== undefined || (typed !== "" && check.verdict === "invalid")}
        validationBehavior="aria"
        className="flex min-w-0 flex-col gap-1.5"
      >
        <FieldLabel isRequired={isRequired}>{field.title}</FieldLabel>
        <span className="flex gap-2">
          <Input
            placeholder="Type a path, or pick one"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            className={inputStyles({ mono: true, className: "placeholder:font-sans placeholder:text-sm" })}
          />
          <Button aria-label={`Pick a place for ${field.title}`} onPress={() => onPick(field)}>
            <ListTree aria-hidden className="size-4" />
            Pick
          </Button>
        </span>
        <Text
          slot="description"
          elementType="div"
          className="flex flex-col gap-1 text-[13px] leading-5 text-ink-faint"
        >
          {typed !== "" && <PathVerdict check={check} />}
          {typed !== "" && check.verdict !== "invalid" && <PathFound path={settled} sample={sample} />}
          {field.hint !== undefined && field.hint !== "" && <span className="break-words">{field.hint}</span>}
          <SeenMapping field={field} product={productName} path={typed} />
        </Text>
        {/* What is wrong with the path is said above already. */}
        <FieldError className="text-[13px] leading-5 text-danger">
          {typed !== "" && check.verdict === "invalid" ? "" : error}
        </FieldError>
      </TextField>
      {typed === "" && suggestions.length > 0 && (
        <div className="flex min-w-0 flex-col">
          {suggestions.slice(0, SUGGESTIONS).map((suggestion) => (
            <SuggestedPath
              key={suggestion.path}
              {...suggestion}
              lead="Suggested:"
              onTake={(taken, button) => {
                focusFieldBeside(button);
                onChange(field, taken);
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
});
