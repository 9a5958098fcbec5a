"use client";

import { ChevronsUpDown } from "lucide-react";
import { type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { inputStyles, type FieldProps } from "./field-parts";
import { lazyDialog } from "./lazy-dialog";
import type { SelectOption } from "./option-list";

const SelectOptions = lazyDialog(async () => (await import("./select-options")).SelectOptions);

export interface SelectFieldProps extends FieldProps {
  name?: string;
  options: SelectOption[];
  /** Empty or null if nothing is selected. */
  value?: string | null;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLButtonElement | null>;
  placeholder?: string;
}

/** An option's value may be any string except the empty one, which means that nothing is selected. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, isRequired, isDisabled, className = "", ref, name } = props;
  const { options, value, onChange, onBlur, placeholder = "Choose one" } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  const note = error ?? hint;
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <span
        id={`${id}-label`}
        className="flex items-baseline gap-2 text-[13px] font-medium text-ink"
        onClick={() => button.current?.focus()}
      >
        {label}
        {isRequired !== true && <span className="text-xs font-normal text-ink-faint">optional</span>}
      </span>
      <button
        ref={button}
        type="button"
        name={name}
        disabled={isDisabled}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-labelledby={`${id}-value ${id}-label`}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
        onBlur={() => !open && onBlur?.()}
        className={inputStyles({
          className: `flex cursor-pointer items-center justify-between gap-2 text-left ${error === undefined ? "" : "border-danger"}`,
        })}
      >
        <span id={`${id}-value`} className={`truncate ${chosen === undefined ? "text-ink-faint" : ""}`}>
          {chosen?.text ?? placeholder}
          {chosen?.detail !== undefined && <span className="ml-2 text-ink-faint">{chosen.detail}</span>}
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </button>
      {note !== undefined && (
        <span
          id={`${id}-note`}
          className={`text-[13px] leading-5 ${error === undefined ? "text-ink-faint" : "text-danger"}`}
        >
          {note}
        </span>
      )}
      <SelectOptions
        trigger={button}
        isOpen={open}
        onOpenChange={setOpen}
        label={label}
        options={options}
        value={value ?? ""}
        onChange={(next) => onChange?.(next)}
        className="w-(--trigger-width)"
      />
    </div>
  );
}
