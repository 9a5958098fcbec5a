import { v7 } from "uuid";
import { expect, test } from "vitest";
import type { StoredSetting } from "@/drizzle/schema/installations-configurations";
import type { SettingAction, SettingView } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import { settingChoices } from "@/lib/domain/catalog/answer-sheet";
import { viewSettings } from "@/lib/domain/catalog/configuration";
import type { Member } from "@/lib/domain/platform/actor";
import * as table from "@/tests/secrets/secret-cells";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  one,
  readState,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { openSetting } from "../../platform/data-key";
import { sealStateKey } from "../../platform/state-key";
import { moveRevision } from "../queries";
import { mergeConfiguration } from "./merge-configuration";
import { selectConfiguration } from "./queries";
import { storeConfiguration } from "./store-configuration";

const platform = await testPlatform();
const { CELLS } = table;
type Cell = table.Cell;

/** Each cell has unique values, so that they can be found wherever they do not belong. */
const CANARY = "canary-5f1c";
const valueOf = (cell: Cell) => (value: table.Value) =>
  ({
    then: `${CANARY}-then-${cell.name}.`,
    new: `${CANARY}-new-${cell.name}.`,
    empty: "",
    asterisks: "********",
  })[value];

const settingsThen = CELLS.flatMap((cell) => table.declaredThen(cell, valueOf(cell)) ?? []);
const settingsNow = CELLS.map((cell) => table.declaredNow(cell, valueOf(cell)));

const isEntered = (cell: Cell): cell is Cell & { then: table.Then } => cell.then !== undefined;
const entered = Object.fromEntries(
  CELLS.filter(isEntered).map((cell): [string, SettingAction] => [
    cell.name,
    { action: "set", value: valueOf(cell)(cell.then.empty ? "empty" : "then") },
  ]),
);
const answers = Object.fromEntries(
  CELLS.flatMap((cell): [string, SettingAction][] => {
    const action = answerOf(cell);
    return action === undefined ? [] : [[cell.name, action]];
  }),
);

function answerOf(cell: Cell): SettingAction | undefined {
  switch (cell.action) {
    case "absent":
      return undefined;
    case "keep":
    case "clear":
      return { action: cell.action };
    case "set":
      return { action: "set", value: valueOf(cell)("new") };
    case "set empty":
      return { action: "set", value: "" };
    case "set asterisks":
      return { action: "set", value: "********" };
  }
}

/** By the cell's description, so that a difference names the cell. */
function byCell<Result>(result: (cell: Cell) => Result): Record<string, Result> {
  return Object.fromEntries(CELLS.map((cell) => [table.describeCell(cell), result(cell)]));
}

type Settings = Readonly<Record<string, StoredSetting>>;
let installationId = "";
let versionIds = new Map<Manifest, string>();

/** Saves with the real functions, although some cells are invalid; returns the issues that would refuse the save. */
async function save(member: Member, revision: number, manifest: Manifest, actions: typeof answers) {
  const organizationId = member.organization.id;
  const versionId = versionIds.get(manifest) ?? "";
  return platform.db.transaction(async (tx) => {
    const stored = revision === 0 ? {} : (await selectConfiguration(tx, installationId, revision)).settings;
    const place = { organizationId, installationId };
    const before = { settings: stored, mappings: [] };
    const merge = (settings: typeof answers) =>
      mergeConfiguration(platform, tx, {
        owner: place,
        manifest,
        products: [],
        stored: before,
        answers: { settings, mappings: {} },
      });
    const { outcomes, issues } = await merge(actions);
    const unanswered = (await merge({})).issues;
    const declared = listSettings(manifest);
    await storeConfiguration(platform, tx, member, {
      installationId,
      revision: revision + 1,
      versionId,
      cause: "configure",
      declared,
      scope: null,
      outcomes,
      mappings: [],
      schemaDigests: {},
      stored,
    });
    await moveRevision(tx, organizationId, { id: installationId, revision }, revision + 1);
    return { stored, issues, unanswered };
  });
}

async function readAs(revision: number, routeId: string): Promise<Record<string, string>> {
  const call = {
    installationId,
    routeId,
    epoch: 0,
    attemptId: v7(),
    expiresAt: new Date(Date.now() + 60_000),
  };
  return (await readState(platform, sealStateKey(platform.keyring, { ...call, revision }))).settings;
}

const find = <Item extends { name: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.name, item]));
const byPointer = (issues: readonly Issue[]) =>
  new Map(issues.map((issue) => [issue.pointer.split("/")[2], issue]));

// Guarantee: whatever is stored and whatever the manifest declares, a save does to a setting what docs/secrets.md says.
test("every cell of the table", async () => {
  const publisher = await givenMember(platform, "acme");
  const then = await givenMember(platform, "harbor");
  const now = { ...(await givenMember(platform, "harbor", "operator")), name: "somebody else" };
  const { tenant } = await givenTenant(platform, then);
  const manifestThen: Manifest = { ...SAMPLE_MANIFEST, app: { fields: settingsThen } };
  const manifestNow: Manifest = { ...SAMPLE_MANIFEST, version: "1.5.0", app: { fields: settingsNow } };
  const { version } = await givenListing(platform, publisher, {
    manifest: manifestThen,
    state: "PUBLIC",
  });
  const newer = await givenVersion(platform, version, "1.5.0", { manifest: manifestNow });
  versionIds = new Map([
    [manifestThen, version.id],
    [manifestNow, newer.id],
  ]);
  const { installation, routes } = await givenInstallation(platform, then, version, tenant.id);
  installationId = installation.id;
  const routeId = one(routes.slice(0, 1)).id;

  expect((await save(then, 1, manifestThen, entered)).issues).toEqual([]);
  const startedAt = new Date().toISOString();
  const before = await readAs(2, routeId);
  const { stored: old, issues, unanswered } = await save(now, 2, manifestNow, answers);
  const fresh = (await selectConfiguration(platform.db, installationId, 3)).settings;
  const after = await readAs(3, routeId);

  // Refused, or how it is stored: opened as the server opens it.
  const problems = byPointer(issues);
  const outcomes = await Promise.all(
    CELLS.map((cell) => findOutcome(cell, fresh, old, problems, { then, now, startedAt })),
  );
  expect(Object.fromEntries(CELLS.map((cell, at) => [table.describeCell(cell), outcomes[at]]))).toEqual(
    byCell((cell) => table.findRule(cell).outcome(cell)),
  );

  // The state record before and after. A refused save changes nothing.
  const viewsBefore = find(viewSettings(settingsNow, old));
  const viewsAfter = find(viewSettings(settingsNow, fresh));
  const isRefused = (cell: Cell) => problems.has(cell.name);
  const wire = (view: SettingView | undefined, cell: Cell) => readWire(view, cell, { then, now, startedAt });
  expect(byCell((cell) => wire(viewsBefore.get(cell.name), cell))).toEqual(byCell(table.wireBefore));
  expect(byCell((cell) => wire((isRefused(cell) ? viewsBefore : viewsAfter).get(cell.name), cell))).toEqual(
    byCell(table.wireAfter),
  );

  // The page, and the app's state.
  const asks = byPointer(unanswered);
  const declared = find(settingsNow);
  expect(
    byCell((cell) => {
      const [setting, view] = [declared.get(cell.name), viewsBefore.get(cell.name)];
      if (setting === undefined || view === undefined) throw new Error("each cell is declared");
      const { shown, ...choices } = settingChoices(setting, view, asks.get(cell.name));
      return { ...choices, shown: shown === undefined ? undefined : which(cell, shown) };
    }),
  ).toEqual(byCell(table.listChoices));
  expect(
    byCell((cell) => {
      const value = (isRefused(cell) ? before : after)[cell.name];
      return value === undefined ? undefined : which(cell, value);
    }),
  ).toEqual(byCell(appGets));

  // Neither an error nor a view of a secret repeats a value.
  expect(JSON.stringify([...issues, ...unanswered])).not.toMatch(/canary|\*{8}/);
  const secrets = [...viewsBefore.values(), ...viewsAfter.values()].filter((view) => view.sensitive);
  expect(JSON.stringify(secrets)).not.toMatch(/canary|\*{8}/);
  // eslint-disable-next-line no-console -- the output has the measured figures
  console.log(`figure secret_cells ${CELLS.length} cells`);
});

interface Members {
  then: Member;
  now: Member;
  /** When the second save started. */
  startedAt: string;
}

async function findOutcome(
  cell: Cell,
  fresh: Settings,
  old: Settings,
  problems: ReadonlyMap<string | undefined, Issue>,
  members: Members,
): Promise<table.Outcome> {
  const problem = problems.get(cell.name);
  const stored = fresh[cell.name];
  if (problem !== undefined) {
    expect(stored).toBeUndefined();
    return { refused: problem.code };
  }
  if (stored === undefined) return { stored: "nothing" };
  if (stored.kind === "gone") throw new Error("nothing is gone so early");
  if (stored.kind === "plain") return { stored: "plain", value: which(cell, stored.value) };
  expect(JSON.stringify(stored)).not.toContain(CANARY);
  expect(stored.type).toBe(table.findRule(cell).mark === "=" ? cell.then?.type : cell.now.type);
  // Kept byte for byte.
  if (table.findRule(cell).mark === "=") expect(stored).toEqual(old[cell.name]);
  const place = { organizationId: members.now.organization.id, installationId, name: cell.name };
  const value = which(cell, await openSetting(platform, platform.db, place, stored.sealed));
  return { stored: "sealed", value, from: findAuthor(stored, members) };
}

function findAuthor(
  { by, updatedAt }: { by?: string; updatedAt?: string },
  { then, now, startedAt }: Members,
) {
  if (by === now.name && (updatedAt ?? "") >= startedAt) return "now";
  if (by === then.name && (updatedAt ?? startedAt) < startedAt) return "then";
  throw new Error(`entered by ${by} at ${updatedAt}`);
}

function which(cell: Cell, text: string): table.Value {
  const values = ["then", "new", "empty", "asterisks"] as const;
  const found = values.find((value) => valueOf(cell)(value) === text);
  if (found === undefined) throw new Error(`${cell.name} has the value of another`);
  return found;
}

function readWire(view: SettingView | undefined, cell: Cell, members: Members): table.Wire | undefined {
  if (view === undefined) return undefined;
  if (!view.sensitive)
    return { sensitive: false, value: view.value === undefined ? undefined : which(cell, view.value) };
  expect(Object.keys(view)).not.toContain("value");
  const { configured } = view;
  if (view.by === undefined) return { sensitive: true, configured };
  return { sensitive: true, configured, from: findAuthor(view, members) };
}

function appGets(cell: Cell): table.Value | undefined {
  const outcome = table.findRule(cell).outcome(cell);
  if ("refused" in outcome) return cell.then === undefined ? undefined : cell.then.empty ? "empty" : "then";
  return outcome.stored === "nothing" ? undefined : outcome.value;
}
