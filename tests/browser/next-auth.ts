/** Stands in for next-auth/react in component tests, where no server answers it. The real one is part of the flows in e2e/. */
import { vi } from "vitest";

export const signIn = vi.fn();
export const signOut = vi.fn(async () => undefined);
