"use client";

import { Check } from "lucide-react";
import type { RefObject } from "react";
import { ListBox, ListBoxItem, type ListBoxProps, Popover, type PopoverProps } from "react-aria-components";

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

export interface SelectOption {
  value: string;
  text: string;
  /** A second line in the list; on the same line in the field. */
  detail?: string;
}

interface OptionListProps {
  options: readonly SelectOption[];
  /** For lists without a visible label. */
  label?: string;
  className?: string;
  /** Outside of a `Select`, which passes them on its own. */
  popover?: Pick<PopoverProps, "triggerRef" | "isOpen" | "onOpenChange" | "placement">;
  list?: Pick<
    ListBoxProps<SelectOption>,
    "autoFocus" | "selectionMode" | "selectedKeys" | "onSelectionChange"
  >;
}

/** What opens below a select. */
export function OptionList({ options, label, className = "", popover, list }: OptionListProps) {
  return (
    <Popover
      {...popover}
      className={`min-w-48 arrive overflow-auto rounded-card border border-line bg-raised p-1 shadow-high ${className}`}
    >
      <ListBox {...list} items={options} aria-label={label} className="outline-none">
        {(option) => (
          <ListBoxItem
            id={option.value}
            textValue={option.text}
            className="flex cursor-pointer items-center gap-2 rounded-field px-2 py-1.5 text-sm text-ink focus:bg-hover focus-visible:-outline-offset-2"
          >
            {({ isSelected }) => (
              <>
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{option.text}</span>
                  {option.detail !== undefined && (
                    <span className="block truncate text-xs text-ink-faint">{option.detail}</span>
                  )}
                </span>
                {isSelected && <Check aria-hidden className="size-4 shrink-0 text-accent-text" />}
              </>
            )}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  );
}
