"use client";

import { useState } from "react";
import { Input } from "react-aria-components";
import { Frame, type InputProps, NO_LOGIN, RevealButton } from "./fields";
import { inputStyles } from "./input-styles";

export type SecretFieldProps = Omit<InputProps<HTMLInputElement>, "type" | "mono" | "autoComplete">;

/**
 * A secret that is not a password of this site, such as the key of a provider. Never of the type `password`: browsers fill any such
 * field with the login that they saved for this site, and offer to save what is typed into it, over that login. The eye shows what
 * was typed, never a stored value.
 */
export function SecretField({ ref, placeholder, hint, ...props }: SecretFieldProps) {
  const [revealed, setRevealed] = useState(false);
  return (
    <Frame
      {...props}
      autoComplete="off"
      hint={
        <>
          {hint}
          <span className="sr-only"> Hidden on the screen. Your screen reader may read it aloud.</span>
        </>
      }
    >
      <span className="relative block">
        <Input
          ref={ref}
          placeholder={placeholder}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          className={inputStyles({ className: `pr-10 ${revealed ? "" : "masked"}` })}
          {...NO_LOGIN}
        />
        <RevealButton label={props.label} revealed={revealed} onChange={setRevealed} />
      </span>
    </Frame>
  );
}
