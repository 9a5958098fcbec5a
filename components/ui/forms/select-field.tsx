"use client";

import { ChevronsUpDown } from "lucide-react";
import { type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import type { Overlap } from "@/lib/contract/accounts/api-key";
import type { FieldProps } from "./fields";
import { inputStyles } from "./input-styles";
import { lazyDialog } from "./lazy-code";
import type { SelectOption } from "./select-options";

const SelectOptions = lazyDialog(async () => (await import("./select-options")).SelectOptions);

interface SelectFieldProps extends FieldProps {
  name?: string;
  options: readonly SelectOption[];
  /** The handler that finds further options, which are too many for the page. */
  search?: string;
  /** Empty or null if nothing is selected. */
  value?: string | null;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLButtonElement | null>;
  placeholder?: string;
  /** The label is for screen readers only, because a table's column says it. */
  isLabelHidden?: boolean;
  /** The width of the menu. */
  menuClassName?: string;
}

/** An option's value may be any string except the empty one, which means that nothing is selected. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, isRequired, isDisabled, className = "", ref, name } = props;
  const { options, search, value, onChange, onBlur, placeholder = "Choose one" } = props;
  const { isLabelHidden = false, menuClassName = "w-(--trigger-width)" } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  const id = useId();
  const [found, setFound] = useState<SelectOption>();
  const chosen = [...options, ...(found === undefined ? [] : [found])].find(
    (option) => option.value === value,
  );
  const note = error ?? hint;
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <span
        id={`${id}-label`}
        className={
          isLabelHidden ? "sr-only" : "flex flex-wrap items-baseline gap-x-2 text-small font-medium text-ink"
        }
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
          {chosen?.detail !== undefined && !isLabelHidden && (
            <span className="ml-2 text-ink-faint">{chosen.detail}</span>
          )}
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </button>
      {note !== undefined && (
        <span
          id={`${id}-note`}
          className={`text-small leading-5 ${error === undefined ? "text-ink-faint" : "text-danger"}`}
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
        search={search}
        value={value ?? ""}
        onChange={(next, option) => {
          setFound(option);
          onChange?.(next);
        }}
        className={menuClassName}
      />
    </div>
  );
}

/** The key of the option without a filter. */
const ANY = "any";

interface UrlSelectProps {
  label: string;
  /** The choice without a filter, such as "All actions". */
  any: string;
  /** With a search: the one that the URL names. */
  options: readonly SelectOption[];
  search?: string;
  value: string | undefined;
  /** Undefined: without this filter. */
  onChange: (value: string | undefined) => void;
  className?: string;
}

/** A filter in the URL. What the URL names may not be among the options: it is shown nevertheless. */
export function UrlSelect({ label, any, options, search, value, onChange, className }: UrlSelectProps) {
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return (
    <SelectField
      label={label}
      isRequired
      className={className}
      options={[{ value: ANY, text: any }, ...options, ...(isKnown ? [] : [{ value, text: value }])]}
      search={search}
      value={value ?? ANY}
      onChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
    />
  );
}

const CHOICES: { value: Overlap; text: string; detail?: string }[] = [
  { value: "now", text: "Immediately", detail: "If somebody else may know it." },
  { value: "1h", text: "In 1 hour" },
  { value: "24h", text: "In 24 hours" },
  { value: "7d", text: "In 7 days" },
];

/** When the earlier credentials or secrets stop working after a rotation. */
export function OverlapField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Overlap;
  onChange: (overlap: Overlap) => void;
}) {
  return (
    <SelectField
      label={label}
      options={CHOICES}
      value={value}
      onChange={(chosen) => {
        const found = CHOICES.find((choice) => choice.value === chosen);
        if (found !== undefined) onChange(found.value);
      }}
    />
  );
}
