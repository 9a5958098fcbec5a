"use client";

import {
  type ComponentProps,
  createContext,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { Button } from "../button";

/** Forgiving: a browser that knows only one of the names reads that one. */
const FILLED = ":is(:autofill, :-webkit-autofill)";
/** Of `globals.css`: starts when the browser fills a field, which it may do without telling scripts the value. */
const FILL_ANIMATION = "filled-by-browser";

/** What the browser filled in. Fields are known by the id of their input. */
export interface Fills {
  /** Filled in, and not confirmed. */
  unconfirmed: StoreApi<readonly string[]>;
  /** Returns a function that forgets the field, and calls `discard` if its value is not confirmed. */
  register: (id: string, discard: () => void) => () => void;
  /** Discards all values that are not confirmed. */
  discard: () => void;
  /** Reads from the document which fields are filled in. */
  look: () => void;
  confirm: (id: string) => void;
  /** Whether all values may be sent. If not, the first one to confirm takes the focus. */
  check: () => boolean;
}

/** Of one form. */
export function createFills(): Fills {
  const unconfirmed = createStore<readonly string[]>(() => []);
  const fields = new Map<string, () => void>();
  const confirmed = new Map<string, string>();
  const look = () => {
    const found = [...fields.keys()].filter((id) => {
      const value = readFilled(id);
      return value !== undefined && confirmed.get(id) !== value;
    });
    if (found.join() !== unconfirmed.getState().join()) unconfirmed.setState(found, true);
  };
  return {
    unconfirmed,
    look,
    register: (id, discard) => {
      fields.set(id, discard);
      return () => {
        look();
        if (unconfirmed.getState().includes(id)) discard();
        fields.delete(id);
        confirmed.delete(id);
        look();
      };
    },
    discard: () => {
      look();
      for (const id of unconfirmed.getState()) fields.get(id)?.();
    },
    confirm: (id) => {
      confirmed.set(id, readFilled(id) ?? "");
      document.getElementById(id)?.focus();
      look();
    },
    check: () => {
      look();
      const [first] = unconfirmed.getState();
      if (first === undefined) return true;
      // A mark that was only found now is drawn first.
      requestAnimationFrame(() => document.getElementById(confirmId(first))?.focus());
      return false;
    },
  };
}

/** Undefined unless the browser filled the field in. Empty as long as the browser hides the value from scripts. */
function readFilled(id: string): string | undefined {
  const input = document.getElementById(id);
  const isField = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement;
  return isField && input.matches(FILLED) ? input.value : undefined;
}

const confirmId = (id: string) => `${id}-confirm`;

const FillContext = createContext<Fills | undefined>(undefined);
/** Outside of a form of settings, such as in a login, browsers may fill in what they like. */
const ANYWHERE = createFills();

interface SettingsFormProps extends Omit<ComponentProps<"form">, "ref" | "noValidate" | "autoComplete"> {
  ref?: RefObject<HTMLFormElement | null>;
  /** If something outside of the form needs to check them. */
  fills?: Fills;
}

/**
 * A form of values that are not about the user. Browsers fill in what they saved for this site anyway, sometimes without a key
 * pressed. Such a value is marked, and sent only after the user has confirmed or changed it. If its field is taken away before, so
 * is the value: nothing would mark it later.
 */
export function SettingsForm({ ref, onSubmit, fills: given, children, ...props }: SettingsFormProps) {
  const [own] = useState(createFills);
  const fills = given ?? own;
  const { look, check, discard } = fills;
  // Most fields are filled in before the page's scripts run.
  useEffect(look, [look]);
  useEffect(() => {
    // Before a draft is saved.
    addEventListener("pagehide", discard, { capture: true });
    return () => removeEventListener("pagehide", discard, { capture: true });
  }, [discard]);
  return (
    <FillContext value={fills}>
      <form
        {...props}
        ref={ref}
        noValidate
        autoComplete="off"
        onAnimationStart={({ animationName }) => animationName === FILL_ANIMATION && look()}
        // Typing ends a fill. A suggestion that is only shown looks like one for as long as it is shown.
        onInput={look}
        onBlur={look}
        onSubmit={(event) => {
          // React also delivers the submits of dialogs here.
          if (event.target !== event.currentTarget || check()) onSubmit?.(event);
          else event.preventDefault();
        }}
      >
        {children}
        <FillStatus fills={fills} />
      </form>
    </FillContext>
  );
}

function FillStatus({ fills }: { fills: Fills }) {
  const count = useStore(fills.unconfirmed, (all) => all.length);
  return (
    <p role="status" className="sr-only">
      {count > 0 &&
        `Your browser filled in ${count === 1 ? "1 field" : `${count} fields`}. Check and confirm before you continue.`}
    </p>
  );
}

/** Before values are sent without a submit: whether they may be. If not, the first one to confirm takes the focus. */
export function useFillCheck(): () => boolean {
  return (use(FillContext) ?? ANYWHERE).check;
}

interface FillNoteProps {
  id: string;
  label: string;
  /** The field is taken away, and its value was not confirmed. */
  onDiscard: () => void;
}

/** Beside the input with this id: says that the browser filled it in, and asks for confirmation. */
export function FillNote({ id, label, onDiscard }: FillNoteProps) {
  const fills = use(FillContext);
  const isFilled = useStore((fills ?? ANYWHERE).unconfirmed, (all) => all.includes(id));
  const discard = useEffectEvent(onDiscard);
  // A layout effect ends while the input is still in the document.
  useLayoutEffect(() => fills?.register(id, () => discard()), [fills, id]);
  if (!isFilled) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small leading-5 text-warning">
      <span id={`${id}-filled`}>Filled by your browser. Check it.</span>
      <Button
        id={confirmId(id)}
        size="tiny"
        aria-label={`Use this value for ${label}`}
        aria-describedby={`${id}-filled`}
        onPress={() => fills?.confirm(id)}
      >
        Use this value
      </Button>
    </p>
  );
}
