"use client";

import { ChevronsUpDown } from "lucide-react";
import type { Ref } from "react";
import { Button, Select, SelectValue } from "react-aria-components";
import { FieldLabel, FieldNotes, inputStyles, type FieldProps } from "./field-parts";
import { OptionList, type SelectOption } from "./option-list";

export interface SelectFieldProps extends FieldProps {
  name?: string;
  options: SelectOption[];
  /** Empty or null if nothing is selected. */
  value?: string | null;
  defaultValue?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLButtonElement>;
  placeholder?: string;
}

/** An option's value may be any string except the empty one, which means that nothing is selected. */
export function SelectField(props: SelectFieldProps) {
  const {
    label,
    hint,
    error,
    isRequired,
    className = "",
    ref,
    options,
    value,
    onChange,
    placeholder = "Choose one",
    ...rest
  } = props;
  return (
    <Select
      {...rest}
      value={value === undefined ? undefined : value === "" ? null : value}
      onChange={(key) => onChange?.(key === null ? "" : String(key))}
      placeholder={placeholder}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={`group flex flex-col gap-1.5 ${className}`}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <Button
        ref={ref}
        className={inputStyles({
          className:
            "flex cursor-pointer items-center justify-between gap-2 text-left group-invalid:border-danger",
        })}
      >
        <SelectValue<SelectOption> className="truncate placeholder-shown:text-ink-faint">
          {({ selectedItems: [chosen], defaultChildren }) =>
            chosen ? <Chosen option={chosen} /> : defaultChildren
          }
        </SelectValue>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </Button>
      <FieldNotes hint={hint} error={error} />
      <OptionList options={options} className="w-(--trigger-width)" />
    </Select>
  );
}

function Chosen({ option: { text, detail } }: { option: SelectOption }) {
  return (
    <>
      {text}
      {detail !== undefined && <span className="ml-2 text-ink-faint">{detail}</span>}
    </>
  );
}
