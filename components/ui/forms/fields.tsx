"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
} from "react-aria-components";
import { inputStyles, noLogin } from "./input-styles";
import { FillNote } from "./settings-form";

interface FrameProps extends FieldProps {
  name?: string;
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  /** Instead of emptying the field: it is taken away with a value that the browser filled in and nobody confirmed. */
  onDiscard?: () => void;
  onBlur?: () => void;
  type?: "text" | "email" | "url" | "search" | "password";
  autoComplete?: string;
  maxLength?: number;
  autoFocus?: boolean;
}

export interface InputProps<Element> extends FrameProps {
  ref?: Ref<Element>;
  placeholder?: string;
  /** For names, URLs, and code. */
  mono?: boolean;
}

export interface TextFieldProps extends InputProps<HTMLInputElement> {
  type?: "text" | "email" | "url" | "search";
}

/** A field that browsers must not fill in is not part of a login either. */
const styled = (className: string, { autoComplete }: Pick<FrameProps, "autoComplete">) =>
  autoComplete === "off" ? noLogin(className) : { className };

export function TextField({ ref, placeholder, mono, ...props }: TextFieldProps) {
  return (
    <Frame {...props}>
      <Input ref={ref} placeholder={placeholder} {...styled(inputStyles({ mono }), props)} />
    </Frame>
  );
}

export interface TextAreaProps extends Omit<InputProps<HTMLTextAreaElement>, "type"> {
  rows?: number;
}

export function TextArea({ ref, placeholder, mono, rows = 4, ...props }: TextAreaProps) {
  return (
    <Frame {...props}>
      <AriaTextArea
        ref={ref}
        rows={rows}
        placeholder={placeholder}
        spellCheck={mono !== true}
        {...styled(inputStyles({ rows: "many", mono }), props)}
      />
    </Frame>
  );
}

export interface PasswordFieldProps extends Omit<InputProps<HTMLInputElement>, "type" | "mono"> {
  /** Browsers and password managers fill it in and save it. */
  autoComplete: "current-password" | "new-password";
}

/** A password of this site. Any other secret is a `SecretField`. The eye shows what was typed. */
export function PasswordField({ ref, placeholder, ...props }: PasswordFieldProps) {
  const [revealed, setRevealed] = useState(false);
  return (
    <Frame {...props} type={revealed ? "text" : "password"}>
      <span className="relative block">
        <Input
          ref={ref}
          placeholder={placeholder}
          spellCheck={false}
          className={inputStyles({ className: "pr-10" })}
        />
        <RevealButton label={props.label} revealed={revealed} onChange={setRevealed} />
      </span>
    </Frame>
  );
}

interface RevealButtonProps {
  label: string;
  revealed: boolean;
  onChange: (revealed: boolean) => void;
}

/** The eye at the end of a field. */
export function RevealButton({ label, revealed, onChange }: RevealButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={revealed}
      onClick={() => onChange(!revealed)}
      aria-label={`Show ${label}`}
      className="absolute top-0 right-0 flex h-9 w-9 cursor-pointer items-center justify-center rounded-field text-ink-faint hover:text-ink"
    >
      {revealed ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
    </button>
  );
}

/** Label, hint, and error around an input. */
export function Frame({
  label,
  hint,
  error,
  isRequired,
  className = "",
  children,
  onDiscard,
  ...props
}: FrameProps & { children: ReactNode }) {
  const id = useId();
  const frame = useTypedBefore(props.value, props.onChange);
  return (
    <AriaTextField
      {...props}
      id={id}
      ref={frame}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={`flex flex-col gap-1.5 ${className}`}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      {children}
      <FillNote id={id} label={label} onDiscard={onDiscard ?? (() => props.onChange?.(""))} />
      <FieldNotes hint={hint} error={error} />
    </AriaTextField>
  );
}

/** Props of every field. Add react-hook-form's `field`, and `fieldState.error?.message` as `error`. */
export interface FieldProps {
  label: string;
  /** How to fill it in. An error replaces it. */
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  className?: string;
}

export function FieldLabel({ children, isRequired }: { children: ReactNode; isRequired?: boolean }) {
  return (
    <Label className="flex flex-wrap items-baseline gap-x-2 text-small font-medium text-ink">
      {children}
      {isRequired !== true && <span className="text-xs font-normal text-ink-faint">optional</span>}
    </Label>
  );
}

function FieldNotes({ hint, error }: { hint?: ReactNode; error?: string }) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="text-small leading-5 text-ink-faint">
          {hint}
        </Text>
      )}
      <FieldError className="text-small leading-5 text-danger">{error}</FieldError>
    </>
  );
}

/** A ref for a field's container. Passes what the user typed before hydration to `onChange`, so that it isn't lost. */
function useTypedBefore(value: string | undefined, onChange: ((value: string) => void) | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const takeOver = useEffectEvent(() => {
    const input = frame.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
    if (value !== undefined && input !== null && input !== undefined && input.value !== show(value, input))
      onChange?.(input.value);
  });
  useEffect(() => takeOver(), []);
  return frame;
}

/** The value as the element has it: an input of one line drops line breaks, an address its spaces. */
function show(value: string, { tagName, type }: HTMLInputElement | HTMLTextAreaElement): string {
  const probe = tagName === "TEXTAREA" ? document.createElement("textarea") : document.createElement("input");
  if (probe instanceof HTMLInputElement) probe.type = type;
  probe.value = value;
  return probe.value;
}
