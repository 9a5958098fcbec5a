"use client";

import { LogOut } from "lucide-react";
import { useState } from "react";
import { buttonStyles } from "@/components/ui/button-styles";
import { leaveFor } from "@/lib/client/navigation";

/** One press signs out. Without scripts, and if it fails, it leads to the page that asks and says what went wrong. */
export function SignOutButton() {
  const [isPending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    // Every page has this button, so what it needs is loaded when it is pressed.
    await import("@/components/identity/end-session")
      .then(({ endSession }) => endSession())
      .then(
        () => leaveFor("/"),
        () => leaveFor("/sign-out"),
      );
  };
  return (
    <form
      action="/sign-out"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void leave();
      }}
    >
      <button
        type="submit"
        aria-disabled={isPending}
        className={buttonStyles({ tone: "quiet", size: "small" })}
      >
        <LogOut aria-hidden className="size-4" />
        Sign out
      </button>
    </form>
  );
}
