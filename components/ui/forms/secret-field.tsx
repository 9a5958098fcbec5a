"use client";

import { useRef, useState } from "react";
import { describeText, trimBlank } from "@/lib/domain/platform/exact-text";
import { Button } from "../button";
import { type ExactFieldProps, ExactInput, useExactText } from "./exact-field";
import { Frame, RevealButton } from "./fields";

/**
 * A secret that is not a password of this site, such as the key of a provider. Never of the type `password`: browsers fill any such
 * field with the login that they saved for this site, and offer to save what is typed into it, over that login. The eye shows what
 * was typed, never a stored value.
 */
export function SecretField({ ref, placeholder, hint, onBlur, ...props }: ExactFieldProps) {
  const { label, value } = props;
  const [revealed, setRevealed] = useState(false);
  const description = useDescription(props);
  const field = useExactText({ value, onChange: description.type });
  const leave = () => {
    field.leave();
    description.leave();
    onBlur?.();
  };
  return (
    <Frame
      {...props}
      {...field.shown}
      onBlur={leave}
      autoComplete="off"
      hint={
        <>
          {hint}
          <span className="sr-only"> Hidden on the screen. Your screen reader may read it aloud.</span>
        </>
      }
    >
      <span className="relative block">
        <ExactInput
          ref={ref}
          placeholder={placeholder}
          field={field}
          onInsert={description.insert}
          className={`pr-10 ${revealed ? "" : "masked"}`}
        />
        <RevealButton label={label} revealed={revealed} onChange={setRevealed} />
      </span>
      <DescriptionLine label={label} description={description} />
    </Frame>
  );
}

/** `size`: with its size, because it was pasted or dropped. `notes`: only what can't be seen. */
type Shown = "nothing" | "notes" | "size";

/** What is said about a secret: after a paste or a drop, and when the user leaves a field with something that can't be seen. */
function useDescription({ value, onChange }: Pick<ExactFieldProps, "value" | "onChange">) {
  // Somebody who comes back to a step finds what is still wrong.
  const [shown, setShown] = useState<Shown>("notes");
  const isInserting = useRef(false);
  const [isTyping, setTyping] = useState(false);
  const [untrimmed, setUntrimmed] = useState<string>();
  const { size, notes } = describeText(value);
  const isSaid = value !== "" && (shown === "size" || (shown === "notes" && notes.length > 0));
  return {
    text: isSaid ? [...(shown === "size" ? [size] : []), ...notes].join(", ") : "",
    hasNotes: notes.length > 0,
    /** Each key would be announced otherwise. */
    isAnnounced: !isTyping,
    insert: () => {
      isInserting.current = true;
    },
    type: (typed: string) => {
      const isInserted = isInserting.current || countBreaks(typed) > countBreaks(value);
      if (isInserted) setShown("size");
      else if (value === "" || typed === "" || !isSaid) setShown("nothing");
      setTyping(!isInserted);
      isInserting.current = false;
      setUntrimmed(undefined);
      onChange(typed);
    },
    leave: () => {
      setTyping(false);
      if (shown === "nothing") setShown("notes");
    },
    canTrim: trimBlank(value) !== value,
    trim: () => {
      setShown("size");
      setUntrimmed(value);
      onChange(trimBlank(value));
    },
    undo:
      untrimmed === undefined
        ? undefined
        : () => {
            setUntrimmed(undefined);
            onChange(untrimmed);
          },
  };
}

/** More of them than before were inserted, even if the browser told about no paste. */
const countBreaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

interface DescriptionLineProps {
  label: string;
  description: ReturnType<typeof useDescription>;
}

function DescriptionLine({ label, description }: DescriptionLineProps) {
  const { text, hasNotes, isAnnounced, canTrim, trim, undo } = description;
  const canPress = (text !== "" && canTrim) || undo !== undefined;
  return (
    // Without a text it takes no room, but stays, so that screen readers announce what it says next.
    <span
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 text-small leading-5 ${text === "" && !canPress ? "-mt-1.5" : ""}`}
    >
      <span
        role="status"
        aria-live={isAnnounced ? "polite" : "off"}
        className={`min-w-0 ${hasNotes ? "text-warning" : "text-ink-faint"}`}
      >
        {text !== "" && `${text[0]?.toUpperCase()}${text.slice(1)}.`}
      </span>
      {canPress && (
        // One button, so that it keeps the focus.
        <Button
          size="tiny"
          aria-label={`${undo === undefined ? "Trim" : "Undo trim of"} ${label}`}
          onPress={undo ?? trim}
        >
          {undo === undefined ? "Trim" : "Undo trim"}
        </Button>
      )}
    </span>
  );
}
