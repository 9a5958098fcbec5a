"use client";

import type { RefObject } from "react";
import { OptionList, type SelectOption } from "./option-list";

interface SelectOptionsProps {
  trigger: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  options: readonly SelectOption[];
  value: string;
  onChange: (value: string) => void;
  className: string;
}

/** The options of a select. Choosing closes them. */
export function SelectOptions(props: SelectOptionsProps) {
  const { trigger, isOpen, onOpenChange, label, options, value, onChange, className } = props;
  return (
    <OptionList
      options={options}
      label={label}
      className={className}
      popover={{ triggerRef: trigger, isOpen, onOpenChange, placement: "bottom start" }}
      list={{
        autoFocus: true,
        selectionMode: "single",
        selectedKeys: [value],
        onSelectionChange: (keys) => {
          onOpenChange(false);
          // Empty: the one that was chosen already.
          const [key] = keys;
          if (key !== undefined) onChange(String(key));
        },
      }}
    />
  );
}
