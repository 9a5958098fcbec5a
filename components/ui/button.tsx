"use client";

import { LoaderCircle } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { takeForm } from "@/lib/client/early-submits";
import { type ButtonStyle, buttonStyles } from "./links";

interface ButtonProps extends Omit<AriaButtonProps, "className" | "style">, ButtonStyle {}

/** While `isPending` it keeps its focus and width, and ignores presses. */
export function Button({ tone, size, className = "", children, ...props }: ButtonProps) {
  const isSubmit = props.type === "submit";
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSubmit) takeForm(button.current?.form);
  }, [isSubmit]);
  return (
    <AriaButton
      {...props}
      {...(isSubmit ? { ref: button } : {})}
      className={buttonStyles({ tone, size, className: `relative ${className}` })}
    >
      {(state) => (
        <>
          <span className={`inline-flex items-center gap-2 ${state.isPending ? "invisible" : ""}`}>
            {typeof children === "function" ? children({ ...state, defaultChildren: null }) : children}
          </span>
          {state.isPending && <Spinner label="Working" className="absolute" />}
        </>
      )}
    </AriaButton>
  );
}

export function Spinner({ label = "Loading", className = "" }: { label?: string; className?: string }) {
  return (
    <span role="status" aria-label={label} className={`inline-flex ${className}`}>
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
    </span>
  );
}
