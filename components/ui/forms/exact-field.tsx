"use client";

import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefCallback,
  useRef,
  useState,
} from "react";
import { TextArea as AriaTextArea } from "react-aria-components";
import { editShown, hasLineBreak, replaceShown, toLineFeeds } from "@/lib/domain/platform/exact-text";
import { Frame, type InputProps } from "./fields";
import { inputStyles, noLogin } from "./input-styles";

export interface ExactFieldProps extends Omit<
  InputProps<HTMLTextAreaElement>,
  "ref" | "type" | "mono" | "autoComplete" | "value" | "defaultValue" | "onChange" | "onBlur"
> {
  ref?: RefCallback<HTMLTextAreaElement>;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** A value that an app gets exactly as it was entered. */
export function ExactTextField({ ref, placeholder, onBlur, ...props }: ExactFieldProps) {
  const field = useExactText(props);
  const leave = () => {
    field.leave();
    onBlur?.();
  };
  return (
    <Frame {...props} {...field.shown} onBlur={leave} autoComplete="off">
      <ExactInput ref={ref} placeholder={placeholder} field={field} />
    </Frame>
  );
}

export type ExactText = ReturnType<typeof useExactText>;

/**
 * A text in one row, which gets more when it has several lines. It is a text area from the start: an input drops line breaks without a
 * word, however they get there, and keyboards of phones insert what was copied without a paste.
 */
export function useExactText({ value, onChange }: Pick<ExactFieldProps, "value" | "onChange">) {
  const [hasGrown, setGrown] = useState(false);
  if (hasLineBreak(value) && !hasGrown) setGrown(true);
  /** The browser inserts it, so that it can be undone, but with line breaks of its own. */
  const inserted = useRef<{ start: number; end: number; text: string }>(undefined);

  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart: start, selectionEnd: end } = event.currentTarget;
    inserted.current = { start, end, text: event.clipboardData.getData("text/plain") };
  };
  const drop = (event: DragEvent<HTMLTextAreaElement>) => {
    const at = findDropPlace(event);
    inserted.current = { start: at, end: at, text: event.dataTransfer.getData("text/plain") };
  };
  const type = (shown: string) => {
    const { start, end, text } = inserted.current ?? { start: 0, end: 0, text: "" };
    const exact = replaceShown(value, start, end, text);
    const isInserted = inserted.current !== undefined && toLineFeeds(exact) === shown;
    inserted.current = undefined;
    onChange(isInserted ? exact : editShown(value, shown));
  };
  return {
    shown: { value: toLineFeeds(value), onChange: type },
    isMultiline: hasGrown,
    paste,
    drop,
    /** Emptied, it has one row again, but not while somebody types. */
    leave: () => value === "" && setGrown(false),
  };
}

/** Where text that is dropped goes: browsers show it while it is dragged, but say it only of a point. */
function findDropPlace({ currentTarget: field, clientX, clientY }: DragEvent<HTMLTextAreaElement>): number {
  const place = document.caretPositionFromPoint?.(clientX, clientY);
  return place?.offsetNode === field ? place.offset : field.value.length;
}

interface ExactInputProps {
  ref?: RefCallback<HTMLTextAreaElement>;
  placeholder?: string;
  field: ExactText;
  /** Before text is pasted or dropped. */
  onInsert?: () => void;
  className?: string;
}

const MOST_ROWS = 12;

/** The text area of a frame with what `field` shows. */
export function ExactInput({ ref, placeholder, field, onInsert, className = "" }: ExactInputProps) {
  const { isMultiline, shown } = field;
  const many = inputStyles({ rows: "many", mono: true, className: `block ${className}` });
  return (
    <AriaTextArea
      ref={ref}
      placeholder={placeholder}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      enterKeyHint={isMultiline ? undefined : "go"}
      rows={isMultiline ? Math.min(Math.max(shown.value.split("\n").length, 3), MOST_ROWS) : 1}
      onKeyDown={isMultiline ? undefined : sendOnEnter}
      onPaste={(event) => {
        onInsert?.();
        field.paste(event);
      }}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes("text/plain")) return;
        onInsert?.();
        field.drop(event);
      }}
      {...noLogin(isMultiline ? many : `${inputStyles({ className })} ${ONE_ROW}`)}
    />
  );
}

/** As high as an input, and what doesn't fit is scrolled by typing. */
const ONE_ROW = "block resize-none overflow-hidden py-[calc(0.5rem-1px)] leading-5 whitespace-pre";

/** Enter in the only row sends the form, as in an input. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, ctrlKey, altKey, metaKey, nativeEvent, currentTarget } = event;
  if (key !== "Enter" || shiftKey || ctrlKey || altKey || metaKey || nativeEvent.isComposing) return;
  event.preventDefault();
  const { form } = currentTarget;
  const send = [...(form?.elements ?? [])].find(
    (element) => element instanceof HTMLButtonElement && element.type === "submit",
  );
  if (send instanceof HTMLButtonElement) send.click();
  else form?.requestSubmit();
}
