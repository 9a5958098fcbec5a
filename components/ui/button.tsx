"use client";

import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components";
import { buttonStyles, type ButtonLook } from "./button-styles";
import { Spinner } from "./spinner";
import { useHydrated } from "./use-hydrated";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "style">, ButtonLook {
  className?: string;
}

/**
 * While `isPending` it stays focusable, keeps its width and takes no presses. It submits only once React has the page:
 * the browser's own submission would load the page anew and lose what was typed.
 */
export function Button({ tone, size, className, children, type, ...props }: ButtonProps) {
  const hydrated = useHydrated();
  return (
    <AriaButton
      {...props}
      type={hydrated ? type : "button"}
      className={buttonStyles({ tone, size, className: ["relative", className] })}
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
