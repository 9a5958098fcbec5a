import { type ReactNode, type Ref, useId } from "react";

interface ToggleProps {
  children: ReactNode;
  name?: string;
  value?: boolean;
  onChange?: (value: boolean) => void;
  onBlur?: () => void;
  isDisabled?: boolean;
  ref?: Ref<HTMLInputElement | null>;
}

interface SwitchProps extends ToggleProps {
  /** What it does, or why it can't be changed. */
  hint?: ReactNode;
}

// The browser's own checkboxes. `value`: whether it is on. Named so that react-hook-form's `field` can be spread.

export function Switch({ children, hint, ...props }: SwitchProps) {
  const hintId = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="flex min-h-6 cursor-pointer items-center justify-between gap-4 text-small font-medium text-ink has-disabled:cursor-not-allowed">
        <span>{children}</span>
        <input
          // eslint-disable-next-line jsx-a11y/role-has-required-aria-props -- A checkbox says itself whether it is on.
          role="switch"
          aria-describedby={hint === undefined ? undefined : hintId}
          className="switch"
          {...toInput(props)}
        />
      </label>
      {hint !== undefined && (
        <span id={hintId} className="pr-12 text-small leading-5 text-ink-faint">
          {hint}
        </span>
      )}
    </div>
  );
}

export function Checkbox({ children, ...props }: ToggleProps) {
  return (
    <label className="relative flex cursor-pointer items-start gap-2 text-sm text-ink has-disabled:cursor-not-allowed">
      <input className="check-box" {...toInput(props)} />
      <span>{children}</span>
    </label>
  );
}

function toInput({ name, value, onChange, onBlur, isDisabled, ref }: Omit<ToggleProps, "children">) {
  return {
    type: "checkbox",
    ...{ ref, name, onBlur },
    checked: value === true,
    disabled: isDisabled,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange?.(currentTarget.checked),
    // A browser that restores a page must not show another state than the page has.
    autoComplete: "off",
  } as const;
}
