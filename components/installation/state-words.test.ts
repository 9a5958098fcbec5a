import { expect, test } from "vitest";
import { INSTALLATION_STATES } from "@/lib/contract/installation";
import { stateWords } from "./state-words";

test("every state but running says what it means, and an error gives its reason", () => {
  for (const state of INSTALLATION_STATES) {
    const words = stateWords({ state, reason: "Port 8080 is closed.", instance: null, test: false });
    if (state === "RUNNING") expect(words).toBeUndefined();
    else expect(words?.text, state).toMatch(/\.$/);
    expect(words?.reason, state).toBe(state === "ERROR" ? "Port 8080 is closed." : undefined);
  }
});
