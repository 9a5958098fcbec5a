"use client";

import {
  type ClipboardEvent,
  type DragEvent,
  type RefCallback,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { TextArea as AriaTextArea, Input } from "react-aria-components";
import { editShown, hasLineBreak, replaceShown, toLineFeeds } from "@/lib/domain/platform/exact-text";
import { Frame, type InputProps, NO_LOGIN } from "./fields";
import { inputStyles } from "./input-styles";

type TextElement = HTMLInputElement | HTMLTextAreaElement;

export interface ExactFieldProps extends Omit<
  InputProps<TextElement>,
  "ref" | "type" | "mono" | "autoComplete" | "value" | "defaultValue" | "onChange" | "onBlur"
> {
  ref?: RefCallback<TextElement>;
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

/** A text in one line, which becomes one in several lines when it has several: an input drops line breaks without a word. */
export function useExactText({ value, onChange }: Pick<ExactFieldProps, "value" | "onChange">) {
  const [hasGrown, setGrown] = useState(false);
  if (hasLineBreak(value) && !hasGrown) setGrown(true);
  const inserted = useRef<{ start: number; end: number; text: string }>(undefined);
  const caret = useRef<number>(undefined);
  const input = useRef<TextElement>(null);
  useEffect(() => {
    if (caret.current === undefined || !(input.current instanceof HTMLTextAreaElement)) return;
    input.current.focus();
    input.current.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const insert = (event: SyntheticEvent, text: string, start: number, end: number) => {
    if (hasGrown || !hasLineBreak(text)) {
      // The browser inserts it, so that it can be undone, but with line breaks of its own.
      inserted.current = { start, end, text };
      return;
    }
    event.preventDefault();
    caret.current = start + toLineFeeds(text).length;
    onChange(replaceShown(value, start, end, text));
  };
  const paste = (event: ClipboardEvent<TextElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const start = selectionStart ?? 0;
    insert(event, event.clipboardData.getData("text/plain"), start, selectionEnd ?? start);
  };
  const drop = (event: DragEvent<TextElement>) => {
    const at = findDropPlace(event);
    insert(event, event.dataTransfer.getData("text/plain"), at, at);
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
    attach: (element: TextElement | null) => {
      input.current = element;
    },
    /** Emptied, it has one line again, but not while somebody types. */
    leave: () => value === "" && setGrown(false),
  };
}

/** Where text that is dropped goes: browsers show it while it is dragged, but say it only of a point. */
function findDropPlace({ currentTarget: field, clientX, clientY }: DragEvent<TextElement>): number {
  const place = document.caretPositionFromPoint?.(clientX, clientY);
  return place?.offsetNode === field ? place.offset : field.value.length;
}

interface ExactInputProps {
  ref?: RefCallback<TextElement>;
  placeholder?: string;
  field: ExactText;
  /** Before text is pasted or dropped. */
  onInsert?: () => void;
  className?: string;
}

const MOST_ROWS = 12;

/** The input of a frame with what `field` shows. */
export function ExactInput({ ref, placeholder, field, onInsert, className = "" }: ExactInputProps) {
  const { isMultiline, shown, attach } = field;
  const shared = {
    placeholder,
    spellCheck: false,
    autoCapitalize: "off",
    autoCorrect: "off",
    onPaste: (event: ClipboardEvent<TextElement>) => {
      onInsert?.();
      field.paste(event);
    },
    onDrop: (event: DragEvent<TextElement>) => {
      if (!event.dataTransfer.types.includes("text/plain")) return;
      onInsert?.();
      field.drop(event);
    },
    ...NO_LOGIN,
  };
  if (!isMultiline) return <Input {...shared} ref={ref} className={inputStyles({ className })} />;
  return (
    <AriaTextArea
      {...shared}
      ref={(element) => {
        attach(element);
        ref?.(element);
      }}
      rows={Math.min(Math.max(shown.value.split("\n").length, 3), MOST_ROWS)}
      className={inputStyles({ rows: "many", mono: true, className: `block ${className}` })}
    />
  );
}
