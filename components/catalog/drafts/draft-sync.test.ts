import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProblemError } from "@/lib/client/api";
import type { ManifestDraft, SaveDraftInput } from "@/lib/contract/catalog/manifest-draft";
import { Problem, type ProblemCode } from "@/lib/contract/platform/problem";
import { mergeManifests } from "@/lib/domain/catalog/manifest/merge-manifests";
import { DraftSync, type SyncPorts } from "./draft-sync";
import { fingerprint, type FoundCopy, type LocalCopy } from "./local-copies";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const EMPTY = `{ "name": "acme/a", "version": "1.0.0", "app": { "fields": [] } }`;
const draft = (text: string, revision = 1, updatedBy = "Ada"): ManifestDraft => ({
  text,
  revision,
  baseVersionId: null,
  updatedAt: "2026-07-01T00:00:00.000Z",
  updatedBy,
});
const problem = (code: ProblemCode) => new ProblemError(new Problem(code, `Details of ${code}.`).body());

/** A server with one draft, and an editor. */
function given(server: ManifestDraft = draft(EMPTY), shown = server) {
  const world = {
    server,
    text: shown.text,
    copy: undefined as LocalCopy | undefined,
    /** How the next saves fail: before or after the draft was stored, or with a code. */
    failures: [] as ("before" | "after" | ProblemCode)[],
    saves: [] as SaveDraftInput[],
    notifications: [] as string[],
    canStore: true,
    isGone: false,
  };
  const ports: SyncPorts = {
    subject: "the manifest",
    merge: (base, mine, theirs) => {
      const merged = mergeManifests(base, mine, theirs);
      return merged && { text: merged.text, conflicts: merged.conflicts.length };
    },
    text: {
      read: () => world.text,
      replace: (text) => {
        world.text = text;
        sync.changed();
      },
    },
    load: async () => {
      if (world.isGone) throw problem("NOT_FOUND");
      return world.server;
    },
    save: async (input) => {
      const failure = world.failures.shift();
      world.saves.push(input);
      if (failure === "before") throw problem("UNAVAILABLE");
      if (failure !== undefined && failure !== "after") throw problem(failure);
      if (input.revision !== world.server.revision) throw problem("STALE_REVISION");
      world.server = { ...draft(input.text, input.revision + 1, "Me"), baseVersionId: input.baseVersionId };
      if (failure === "after") throw problem("UNAVAILABLE");
      return world.server;
    },
    copies: {
      store: (copy) => {
        if (world.canStore) world.copy = copy;
        return world.canStore;
      },
      remove: () => {
        world.copy = undefined;
      },
    },
    notify: (message) => world.notifications.push(message),
  };
  const sync = new DraftSync(shown, ports);
  const type = (text: string) => ports.text.replace(text, "typed");
  const status = () => sync.store.getState().status.type;
  return { world, sync, type, status };
}

function found(copy: Partial<LocalCopy> & Pick<LocalCopy, "text">): FoundCopy & { discarded: number } {
  const base = { at: 0, removed: EMPTY, inserted: copy.text };
  const whole = { revision: 1, baseVersionId: null, base, sent: [], discarded: 0, ...copy };
  return {
    ...whole,
    discard() {
      this.discarded += 1;
    },
  };
}

test("a change is stored locally within 300 ms, and saved a second after the last one with its base revision", async () => {
  const { world, type, status } = given();
  type("a");
  await vi.advanceTimersByTimeAsync(0);
  expect(world.copy).toMatchObject({ text: "a", revision: 1 });
  await vi.advanceTimersByTimeAsync(900);
  type("ab");
  expect(status()).toBe("unsaved");
  await vi.advanceTimersByTimeAsync(300);
  expect(world.copy?.text).toBe("ab");
  expect(world.saves).toEqual([]);
  await vi.advanceTimersByTimeAsync(700);
  expect(world.saves).toEqual([{ text: "ab", revision: 1, baseVersionId: null }]);
  expect(status()).toBe("saved");
  expect(world.copy).toBeUndefined();
});

test("typing without a pause is saved too, and stored locally at most every 300 ms", async () => {
  const { world, type, sync } = given();
  const stored = vi.spyOn(sync, "storeNow");
  for (let count = 1; count <= 100; count += 1) {
    type("x".repeat(count));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(world.saves.length).toBeGreaterThan(0);
  expect(stored.mock.calls.length).toBeLessThanOrEqual(36);
});

test("text typed during a save is saved after it", async () => {
  const { world, sync, type, status } = given();
  type("one");
  const first = sync.saveNow();
  type("two");
  await first;
  await vi.advanceTimersByTimeAsync(1_100);
  expect(world.saves.map(({ text, revision }) => [text, revision])).toEqual([
    ["one", 1],
    ["two", 2],
  ]);
  expect(status()).toBe("saved");
});

test("undoing to the saved text sends nothing", async () => {
  const { world, type, status } = given();
  type("one");
  type(EMPTY);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(world.saves).toEqual([]);
  expect(status()).toBe("saved");
});

test("after a lost connection, the text is stored locally and saves are retried with growing delays", async () => {
  const { world, type, status } = given();
  world.failures = ["before", "before", "before"];
  type("offline");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status()).toBe("offline");
  expect(world.copy?.text).toBe("offline");
  type("offline, more");
  await vi.advanceTimersByTimeAsync(1_000 + 2_000);
  expect(world.saves).toHaveLength(3);
  expect(status()).toBe("offline");
  await vi.advanceTimersByTimeAsync(4_000);
  expect(status()).toBe("saved");
  expect(world.server.text).toBe("offline, more");
});

// Guarantee: two editors of a draft in one tab, one of them left, never store or send two texts.
test("an editor that was opened again sends, stores and removes nothing more", async () => {
  const { world, sync, type } = given();
  world.failures = ["before", "before"];
  type("offline");
  await vi.advanceTimersByTimeAsync(1_000);
  sync.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.saves).toHaveLength(2);
  const newer = found({ text: "of the new editor" });
  world.copy = newer;
  sync.replace();
  world.server = draft("of the new editor", 2, "Me");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(world.saves).toHaveLength(2);
  expect(world.copy).toBe(newer);
});

test("a save that is answered when the draft was opened again leaves the new editor's copy", async () => {
  const { world, sync, type } = given();
  type("sent");
  const saving = sync.saveNow();
  const newer = found({ text: "sent, and more" });
  sync.replace();
  world.copy = newer;
  await saving;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(world.server.text).toBe("sent");
  expect(world.copy).toBe(newer);
});

test("a save without a response is not mistaken for someone else's change, even after more typing", async () => {
  const { world, type, status } = given();
  world.failures = ["after", "before"];
  type("one");
  await vi.advanceTimersByTimeAsync(1_000);
  type("one and two");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(status()).toBe("saved");
  expect(world.server).toMatchObject({ text: "one and two", revision: 3 });
});

test("a refused save shows its reason, and the next change is saved", async () => {
  const { world, sync, type, status } = given();
  world.failures = ["TOO_LARGE"];
  type("much");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sync.store.getState().status).toEqual({ type: "refused", reason: "Details of TOO_LARGE." });
  expect(world.saves).toHaveLength(1);
  type("less");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status()).toBe("saved");
});

test("an editor of something that was deleted says so, keeps the text, and retries only what is typed", async () => {
  const { world, type, status } = given();
  world.failures = ["NOT_FOUND", "NOT_FOUND"];
  type("one");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(status()).toBe("gone");
  type("two");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(status()).toBe("gone");
  expect(world.saves).toHaveLength(2);
  expect(world.copy).toBeDefined();
});

test("an editor without changes learns of it when it looks for a newer draft", async () => {
  const { world, sync, status } = given();
  world.isGone = true;
  await sync.check();
  expect(status()).toBe("gone");
});

test("a signed-out page sends nothing until a check finds the user signed in", async () => {
  const { world, sync, type, status } = given();
  world.failures = ["NOT_SIGNED_IN"];
  type("one");
  await vi.advanceTimersByTimeAsync(1_000);
  type("two");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(status()).toBe("signed-out");
  expect(world.copy?.text).toBe("two");
  expect(world.saves).toHaveLength(1);
  await sync.check();
  await vi.advanceTimersByTimeAsync(0);
  expect(status()).toBe("saved");
});

test("a full storage is reported and breaks nothing", async () => {
  const { world, sync, type } = given();
  world.canStore = false;
  world.failures = ["before"];
  type("one");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sync.store.getState().isStored).toBe(false);
  expect(sync.storeNow()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(world.server.text).toBe("one");
});

test("someone else's save is a conflict; until it is resolved, nothing is sent and all changes are stored locally", async () => {
  const { world, sync, type, status } = given();
  world.server = draft("theirs", 2);
  type("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status()).toBe("conflict");
  expect(sync.store.getState().theirs).toMatchObject({ text: "theirs", updatedBy: "Ada" });
  type("mine, longer");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(world.saves).toHaveLength(1);
  expect(world.copy).toMatchObject({ text: "mine, longer", revision: 1 });
});

test("keeping mine saves it on top of their revision", async () => {
  const { world, sync, type, status } = given();
  world.server = draft("theirs", 7);
  type("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  sync.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.saves.at(-1)).toMatchObject({ text: "mine", revision: 7 });
  expect(status()).toBe("saved");
});

test("taking theirs leaves nothing unsaved", async () => {
  const { world, sync, type, status } = given();
  world.server = draft("theirs", 7);
  type("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  sync.takeTheirs();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.text).toBe("theirs");
  expect([status(), world.saves.length, world.copy]).toEqual(["saved", 1, undefined]);
});

test("merging keeps both changes and saves them on top of their revision; broken texts can't be merged", async () => {
  const { world, sync, type, status } = given();
  world.server = draft(EMPTY.replace("1.0.0", "1.1.0"), 2);
  type(EMPTY.replace(`"fields": []`, `"fields": [], "about": 1`));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sync.merge()).toBe(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(JSON.parse(world.server.text)).toMatchObject({ version: "1.1.0", app: { about: 1 } });
  expect([status(), world.server.revision]).toEqual(["saved", 3]);

  world.server = draft("{ broken", 4);
  type("also broken");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sync.merge()).toBeUndefined();
  expect(status()).toBe("conflict");
});

test("a page without unsaved changes takes someone else's save and notifies the user", async () => {
  const { world, sync, status } = given();
  world.server = draft("theirs", 2);
  await sync.check();
  await vi.advanceTimersByTimeAsync(0);
  expect([world.text, status(), world.saves.length, world.notifications.length]).toEqual([
    "theirs",
    "saved",
    0,
    1,
  ]);
});

test("a page with unsaved changes has a conflict instead", async () => {
  const { world, sync, type, status } = given();
  type("mine");
  world.server = draft("theirs", 2);
  await sync.check();
  expect([world.text, status()]).toEqual(["mine", "conflict"]);
});

test("a local copy of the current revision is restored and saved", async () => {
  const { world, sync, status } = given();
  const copy = found({ text: "kept" });
  await sync.restore(copy);
  expect([world.text, world.server.text, status(), copy.discarded]).toEqual(["kept", "kept", "saved", 1]);
  expect(world.copy).toBeUndefined();
});

test("a local copy of an older revision is a conflict and overwrites nothing", async () => {
  const { world, sync, status } = given(draft("theirs", 2));
  await sync.restore(found({ text: "kept" }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([world.text, world.server.text, status()]).toEqual(["kept", "theirs", "conflict"]);
  expect(world.copy).toMatchObject({ text: "kept", revision: 1 });
});

test("a local copy that was saved is discarded; if an earlier text of it was saved, the rest is saved too", async () => {
  const done = given(draft("kept", 2));
  await done.sync.restore(found({ text: "kept" }));
  expect([done.status(), done.world.saves.length]).toEqual(["saved", 0]);

  const half = given(draft("half", 2));
  await half.sync.restore(found({ text: "half and more", sent: [fingerprint("half")] }));
  expect([half.status(), half.world.server.text]).toEqual(["saved", "half and more"]);
});

test("a page from the browser's cache loads the newest draft before it restores a copy", async () => {
  const { world, sync, status } = given(draft("newest", 5), draft(EMPTY, 1));
  const base = { at: 0, removed: "newest", inserted: "newest, typed" };
  await sync.restore(found({ text: "newest, typed", revision: 5, base }));
  expect([world.server.text, status()]).toEqual(["newest, typed", "saved"]);
});
