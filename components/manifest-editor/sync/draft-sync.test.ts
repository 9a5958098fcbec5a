import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProblemError } from "@/lib/client/api";
import type { ManifestDraft, SaveDraftInput } from "@/lib/contract/manifest-draft";
import { Problem, type ProblemCode } from "@/lib/contract/problem";
import { DraftSync } from "./draft-sync";
import { fingerprintOf } from "./local-copy";
import type { FoundCopy, LocalCopy } from "./local-copy";
import type { SyncPorts } from "./draft-sync";

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
const refusal = (code: ProblemCode) => new ProblemError(new Problem(code, `${code} it is.`).body());

/** A platform that holds one draft, and an editor beside it. */
function given(server: ManifestDraft = draft(EMPTY), shown = server) {
  const world = {
    server,
    text: shown.text,
    copy: undefined as LocalCopy | undefined,
    /** How the next saves end, instead of by the rules. */
    faults: [] as ("before" | "after" | ProblemCode)[],
    saves: [] as SaveDraftInput[],
    told: [] as string[],
    canKeep: true,
  };
  const ports: SyncPorts = {
    text: {
      read: () => world.text,
      replace: (text) => {
        world.text = text;
        sync.changed();
      },
    },
    load: async () => world.server,
    save: async (input) => {
      const fault = world.faults.shift();
      world.saves.push(input);
      if (fault === "before") throw refusal("UNAVAILABLE");
      if (fault !== undefined && fault !== "after") throw refusal(fault);
      if (input.revision !== world.server.revision) throw refusal("STALE_REVISION");
      world.server = { ...draft(input.text, input.revision + 1, "Me"), baseVersionId: input.baseVersionId };
      if (fault === "after") throw refusal("UNAVAILABLE");
      return world.server;
    },
    copies: {
      keep: (copy) => {
        if (world.canKeep) world.copy = copy;
        return world.canKeep;
      },
      forget: () => {
        world.copy = undefined;
      },
    },
    tell: (words) => world.told.push(words),
  };
  const sync = new DraftSync(shown, ports);
  const type = (text: string) => ports.text.replace(text, "typed");
  const status = () => sync.state().status.type;
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

test("a change is kept here within 300 ms and saved a second after the last one, with the revision it was made from", async () => {
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

test("typing without a pause is saved all the same, and written here at most every 300 ms", async () => {
  const { world, type, sync } = given();
  const kept = vi.spyOn(sync, "keepNow");
  for (let count = 1; count <= 100; count += 1) {
    type("x".repeat(count));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(world.saves.length).toBeGreaterThan(0);
  expect(kept.mock.calls.length).toBeLessThanOrEqual(36);
});

test("what is typed during a save is saved after it", async () => {
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

test("going back to what is saved sends nothing", async () => {
  const { world, type, status } = given();
  type("one");
  type(EMPTY);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(world.saves).toEqual([]);
  expect(status()).toBe("saved");
});

test("a lost connection keeps the text here and tries again ever later until it is saved", async () => {
  const { world, type, status } = given();
  world.faults = ["before", "before", "before"];
  type("offline");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status()).toBe("unreachable");
  expect(world.copy?.text).toBe("offline");
  type("offline, more");
  await vi.advanceTimersByTimeAsync(1_000 + 2_000);
  expect(world.saves).toHaveLength(3);
  expect(status()).toBe("unreachable");
  await vi.advanceTimersByTimeAsync(4_000);
  expect(status()).toBe("saved");
  expect(world.server.text).toBe("offline, more");
});

test("a save whose answer was lost is no change of somebody else's, whatever was typed since", async () => {
  const { world, type, status } = given();
  world.faults = ["after", "before"];
  type("one");
  await vi.advanceTimersByTimeAsync(1_000);
  type("one and two");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(status()).toBe("saved");
  expect(world.server).toMatchObject({ text: "one and two", revision: 3 });
});

test("a refusal is shown with its reason, and the next change is tried again", async () => {
  const { world, sync, type, status } = given();
  world.faults = ["TOO_LARGE"];
  type("much");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sync.state().status).toEqual({ type: "refused", reason: "TOO_LARGE it is." });
  expect(world.saves).toHaveLength(1);
  type("less");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status()).toBe("saved");
});

test("who is signed out sends nothing until the page finds them signed in again", async () => {
  const { world, sync, type, status } = given();
  world.faults = ["NOT_SIGNED_IN"];
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

test("a storage that is full breaks nothing, and is known", async () => {
  const { world, sync, type } = given();
  world.canKeep = false;
  world.faults = ["before"];
  type("one");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sync.state().kept).toBe(false);
  expect(sync.keepNow()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(world.server.text).toBe("one");
});

test("somebody else's save is met by a choice; nothing is sent meanwhile, and all is kept here", async () => {
  const { world, sync, type, status } = given();
  world.server = draft("theirs", 2);
  type("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status()).toBe("conflict");
  expect(sync.state().theirs).toMatchObject({ text: "theirs", updatedBy: "Ada" });
  type("mine, longer");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(world.saves).toHaveLength(1);
  expect(world.copy).toMatchObject({ text: "mine, longer", revision: 1 });
});

test("keeping mine saves it at their revision", async () => {
  const { world, sync, type, status } = given();
  world.server = draft("theirs", 7);
  type("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  sync.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.saves.at(-1)).toMatchObject({ text: "mine", revision: 7 });
  expect(status()).toBe("saved");
});

test("taking theirs leaves nothing to save", async () => {
  const { world, sync, type, status } = given();
  world.server = draft("theirs", 7);
  type("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  sync.takeTheirs();
  await vi.advanceTimersByTimeAsync(0);
  expect(world.text).toBe("theirs");
  expect([status(), world.saves.length, world.copy]).toEqual(["saved", 1, undefined]);
});

test("merging keeps what each changed and saves at their revision; broken texts cannot be merged", async () => {
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

test("a page with nothing unsaved takes what somebody else saved, quietly", async () => {
  const { world, sync, status } = given();
  world.server = draft("theirs", 2);
  await sync.check();
  await vi.advanceTimersByTimeAsync(0);
  expect([world.text, status(), world.saves.length, world.told.length]).toEqual(["theirs", "saved", 0, 1]);
});

test("a page with something unsaved is asked instead", async () => {
  const { world, sync, type, status } = given();
  type("mine");
  world.server = draft("theirs", 2);
  await sync.check();
  expect([world.text, status()]).toEqual(["mine", "conflict"]);
});

test("a copy of the same revision comes back and is saved", async () => {
  const { world, sync, status } = given();
  const copy = found({ text: "kept" });
  await sync.restore(copy);
  expect([world.text, world.server.text, status(), copy.discarded]).toEqual(["kept", "kept", "saved", 1]);
  expect(world.copy).toBeUndefined();
});

test("a copy of a revision that has moved on is a choice, never an overwriting", async () => {
  const { world, sync, status } = given(draft("theirs", 2));
  await sync.restore(found({ text: "kept" }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([world.text, world.server.text, status()]).toEqual(["kept", "theirs", "conflict"]);
  expect(world.copy).toMatchObject({ text: "kept", revision: 1 });
});

test("a copy whose text was saved after all is let go; one whose earlier text was saved goes on from there", async () => {
  const done = given(draft("kept", 2));
  await done.sync.restore(found({ text: "kept" }));
  expect([done.status(), done.world.saves.length]).toEqual(["saved", 0]);

  const half = given(draft("half", 2));
  await half.sync.restore(found({ text: "half and more", sent: [fingerprintOf("half")] }));
  expect([half.status(), half.world.server.text]).toEqual(["saved", "half and more"]);
});

test("a page that came from the browser's cache is brought up to date before a copy is judged", async () => {
  const { world, sync, status } = given(draft("newest", 5), draft(EMPTY, 1));
  const base = { at: 0, removed: "newest", inserted: "newest, typed" };
  await sync.restore(found({ text: "newest, typed", revision: 5, base }));
  expect([world.server.text, status()]).toEqual(["newest, typed", "saved"]);
});
