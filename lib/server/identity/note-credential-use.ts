import { createUseNotes } from "../platform/note-uses";
import type { Platform } from "../platform/platform";
import { touchCredentials } from "./core-credential-queries";

const uses = createUseNotes<true>("core credentials", (pool, notes) =>
  touchCredentials(pool, [...notes.keys()]),
);

export function noteCredentialUse(platform: Platform, credentialId: string): void {
  uses.note(platform, credentialId, true);
}

export const flushCredentialUses = uses.flush;
