"use client";

import { ChevronsUpDown } from "lucide-react";
import { Button, ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { FieldLabel, FieldNotes, inputStyles, type FieldProps } from "@/components/ui/field-parts";
import type { SchemaPath } from "@/lib/domain/mapping";

interface PathFieldProps extends FieldProps {
  paths: SchemaPath[];
  value: string;
  onChange: (value: string) => void;
}

/** A place in a product's data: picked from its schema, or typed. */
export function PathField({ label, hint, error, isRequired, paths, value, onChange }: PathFieldProps) {
  return (
    <ComboBox
      allowsCustomValue
      menuTrigger="focus"
      inputValue={value}
      onInputChange={onChange}
      defaultItems={paths.map((path) => ({ ...path, id: path.path }))}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className="group flex flex-col gap-1.5"
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <span className="relative block">
        <Input
          placeholder="$.vehicle.vin"
          spellCheck={false}
          className={inputStyles({ mono: true, className: "pr-9" })}
        />
        <Button
          aria-label={`Places for ${label}`}
          className="absolute inset-y-0 right-0 flex w-9 cursor-pointer items-center justify-center rounded-field text-ink-faint hover:text-ink"
        >
          <ChevronsUpDown aria-hidden className="size-4" />
        </Button>
      </span>
      <FieldNotes hint={hint} error={error} />
      <Popover className="w-(--trigger-width) min-w-48 arrive overflow-auto rounded-card border border-line bg-raised p-1 shadow-high">
        <ListBox<SchemaPath & { id: string }> className="max-h-72 overflow-auto outline-none">
          {(item) => (
            <ListBoxItem
              textValue={item.path}
              className="flex cursor-pointer items-baseline justify-between gap-3 rounded-field px-2 py-1.5 text-sm text-ink outline-none focus:bg-hover selected:bg-accent-soft"
            >
              <span className="min-w-0 font-mono text-[13px] break-all">{item.path}</span>
              <span className="shrink-0 text-xs text-ink-faint">{item.title ?? item.type}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
