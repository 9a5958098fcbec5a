/**
 * What each command prints with `--json`. The page `/docs/json` is written from these shapes, and a test runs the commands and checks
 * every line against them.
 */
import * as z from "zod";
import { publishAnswer, replayResult, whoamiAnswer } from "@/lib/contract/calls/gateway-answers";
import { issueShape } from "@/lib/contract/catalog/manifest-draft";
import { logEventView, logLineView } from "@/lib/contract/insight/app-log";
import { callRow, callView } from "@/lib/contract/insight/call";
import { appStatus, appVersions, createdApp, submittedVersion } from "@/lib/contract/surface/own-app";
import { devInstance, devLogLine, devManifest } from "./dev/contract/app";
import { devCall, devRead } from "./dev/contract/calls";
import { DRILL_NAMES, devDrill } from "./dev/contract/drills";

/** `lines`: how many lines there are. `shapes`: of each kind of line, by what tells the kinds apart; only one without a name. */
interface CommandOutput {
  lines: string;
  shapes: Readonly<Record<string, z.ZodType>>;
}

const ONE = "One line.";
const one = (shape: z.ZodType): CommandOutput => ({ lines: ONE, shapes: { "": shape } });
const each = (lines: string, shape: z.ZodType): CommandOutput => ({ lines, shapes: { "": shape } });

/** A text with its meaning. */
const text = (description: string) => z.string().meta({ description });
const list = (description: string) => z.array(z.string()).meta({ description });

const app = text("`<organization>/<app>`.");
const url = z.url().meta({ description: "The platform's gateway." });
const { organization, apiKey, webUrl } = whoamiAnswer.shape;
const version = text("The number in the manifest.");
const profileName = text("The name of the saved login.");
const removedProfiles = list("Names of the profiles that were removed.");
const revision = z.int().meta({ description: "The draft's revision." });
const issues = z.array(issueShape).meta({ description: "Errors, warnings and hints, each with its place." });

const validated: CommandOutput = each(
  "One line for each file.",
  z.object({
    file: text("As it was passed; `<stdin>` for standard input."),
    valid: z.boolean().meta({ description: "With `--strict`, false if there are warnings." }),
    name: text("The app's name. Absent if the manifest is not valid or can't be read.").optional(),
    version: text("Absent if the manifest is not valid or can't be read.").optional(),
    errors: z.int().meta({ description: "How many of the issues are errors." }),
    issues,
  }),
);

const synced = {
  app,
  file: text("The absolute path of the manifest."),
  revision,
};

const missingItem = appStatus.shape.checklist.element.pick({ title: true, page: true });

const logEntry = z.discriminatedUnion("kind", [
  logLineView.extend({ version: appStatus.shape.verified.meta({ description: "Whose log it is." }) }),
  logEventView.extend({ version: appStatus.shape.verified.meta({ description: "Whose log it is." }) }),
]);

/** Lines of `dev` say first what happened. */
const event = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.object({ event: z.literal(name), ...shape });

const devEvents = {
  started: event("started", {
    url: z.url().meta({ description: "The page, and the emulated platform." }),
    stateApi: text("What the app gets in PLATFORM_STATE_API."),
    answersFile: text("Where the made-up customers' answers are kept, with secrets."),
  }),
  instance: event("instance", {
    ...devInstance.shape,
    health: devInstance.shape.health.element.nullable().meta({ description: "The newest health check." }),
  }),
  manifest: event("manifest", devManifest.shape),
  call: event("call", devCall.shape),
  read: event("read", devRead.shape),
  drill: event("drill", devDrill.shape),
  log: event("log", devLogLine.shape),
  done: event("done", {
    ok: z.boolean().meta({ description: "Only with `--once`: whether all calls and drills succeeded." }),
    calls: z.int(),
    failedCalls: z.int(),
    drills: z
      .record(z.enum(DRILL_NAMES), devDrill.shape.state)
      .meta({ description: "How each drill ended, by its name." }),
  }),
} as const;

/** By command, without `platform-app`. */
export const JSON_SHAPES: Readonly<Record<string, CommandOutput>> = {
  login: one(
    z.object({
      profile: profileName,
      url,
      webUrl,
      organization,
      saved: z.boolean().meta({ description: "False if the file of logins can't be written." }),
    }),
  ),
  logout: one(
    z.object({
      url: url.nullable().meta({
        description: "The gateway that you are logged out of. Null with `--all`, or without a login.",
      }),
      removed: removedProfiles,
    }),
  ),
  whoami: one(
    z.object({
      profile: z.string().nullable().meta({ description: "Null for a key from PLATFORM_CLIENT_ID." }),
      url,
      webUrl,
      organization,
      apiKey,
    }),
  ),
  "profiles list": each(
    "One line for each profile, none without a profile.",
    z.object({
      name: profileName,
      url,
      organization: organization
        .nullable()
        .meta({ description: "Null for a login saved by an earlier version." }),
      inUse: z.boolean(),
    }),
  ),
  "profiles use": one(z.object({ profile: profileName, url })),
  "profiles remove": one(z.object({ url, removed: removedProfiles })),
  init: one(
    z.object({
      name: app,
      template: z.string().nullable().meta({ description: "Null with `--manifest-only`." }),
      folder: text("The absolute path of the app's folder."),
      files: list("Files that were created, relative to the folder."),
      kept: list("Files that existed before."),
      next: list("Commands to run next."),
    }),
  ),
  "manifest pull": one(
    z.object({
      ...synced,
      changed: z.boolean().meta({ description: "False if the file was the same before." }),
    }),
  ),
  "manifest push": one(z.object({ ...synced, issues })),
  version: one(
    z.object({
      file: text("The absolute path of the manifest."),
      previous: text("The previous number."),
      version,
    }),
  ),
  "manifest check": validated,
  validate: validated,
  dev: { lines: "A line for each event, until the command ends.", shapes: devEvents },
  call: one(devCall),
  create: one(createdApp),
  build: one(z.object({ name: app, version, image: text("The name of the built image.") })),
  publish: one(z.object({ name: app, ...publishAnswer.shape })),
  open: one(z.object({ page: text("As it was passed."), url: z.url() })),
  status: one(
    appStatus.extend({
      missing: z
        .object({ required: z.array(missingItem), recommended: z.array(missingItem) })
        .meta({ description: "What is still missing from the checklist." }),
    }),
  ),
  versions: each("One line for each version, the newest first.", appVersions.shape.versions.element),
  submit: one(z.object({ app, ...submittedVersion.shape })),
  withdraw: one(
    z.object({
      app,
      reviewId: z.uuid(),
      version: z.string().nullable().meta({ description: "Null for a review of only the text." }),
    }),
  ),
  logs: each("One line for each entry, the oldest first. With `--follow`, until Ctrl-C.", logEntry),
  "calls list": each("One line for each call, the newest last. With `--follow`, until Ctrl-C.", callRow),
  "calls show": one(callView),
  replay: one(
    replayResult.pick({ replayed: true, skipped: true }).extend({
      replayed: z.int().meta({ description: "How many deliveries will be sent again." }),
      skipped: z.int().meta({ description: "How many can't be sent again." }),
    }),
  ),
  completion: one(z.object({ shell: z.string(), script: text("What the shell loads.") })),
};

/** The last line of a command that failed. */
export const FAILED_LINE = z.object({
  error: z.object({
    code: text("Stable, for programs: see [Errors](/docs/errors)."),
    message: text("What went wrong, and how to fix it."),
    issues,
    next: list("Commands to run next, or further lines of the message."),
    docs: z.url().meta({ description: "The code's entry in the documentation, if it is known." }).optional(),
  }),
});
