/**
 * The configuration of an image, which engines obey. They are written in Go: a member of another type, which JavaScript would ignore, makes
 * the whole configuration unreadable there, and such an image would fail at its first launch.
 */
import { z } from "zod";
import { digestText } from "./image";
import { parseDocument } from "./parse-document";

const platformShape = z.looseObject({
  architecture: z.string(),
  os: z.string(),
  variant: z.string().optional(),
  rootfs: z.looseObject({ diff_ids: z.array(digestText) }),
});

/** What it is for, and its layers. For images that engines may refuse, because they are for another platform or were stored long ago. */
export function parseConfig(bytes: Buffer, path: string): z.infer<typeof platformShape> {
  return parseDocument(platformShape, bytes, path, "config");
}

/** Throws `NOT_AN_IMAGE` unless every engine can read it. */
export function requireConfig(bytes: Buffer, path: string): void {
  parseDocument(configShape, bytes, path, "config");
}

/** What is valid and still keeps an app from running, for its publisher. @param bytes what `requireConfig` accepts */
export function listConfigWarnings(bytes: Buffer): string[] {
  const { config } = parseDocument(configShape, bytes, "The configuration", "config");
  const hasCommand = [config?.Entrypoint, config?.Cmd].some((command) => (command ?? []).length > 0);
  return hasCommand
    ? []
    : [
        "The image has neither CMD nor ENTRYPOINT, so no engine can start it. Add one to the Dockerfile, and publish a higher version.",
      ];
}

// Null is the same as an absent member.
const text = z.string().nullish();
const texts = z.array(z.string()).nullish();
const flag = z.boolean().nullish();
/** How it is written is checked with the text: Go takes no 1.0 and no 1e3. */
const whole = z.int().nullish();

// RFC 3339, as strict as Go.
const DATE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?`;
const ZONE = String.raw`(Z|[+-]([01]\d|2[0-3]):[0-5]\d)`;
const RFC_3339 = new RegExp(`^${DATE}T${TIME}${ZONE}$`);

const time = z
  .string()
  .refine((value) => RFC_3339.test(value) && isDay(value.slice(0, 10)), "it is not a time of RFC 3339")
  .nullish();

/** @param date such as `2026-02-30`, which is none */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

// What is handed to the system ends at the first NUL, or the process is not started.
const NUL = "it contains a NUL character";
const word = z.string().refine((value) => !value.includes("\0"), NUL);
const words = z.array(word).nullish();
const folder = word
  .refine((value) => value === "" || value.startsWith("/"), "it is not an absolute path")
  .nullish();
/** Docker leaves out what has no value. */
const variable = word.refine((value) => !value.startsWith("="), "it has no name");
const port = z
  .string()
  .refine((name) => /^\d+(\/.*)?$/.test(name) && Number.parseInt(name, 10) < 2 ** 16, "it is not a port");
const nothing = z.looseObject({}).nullable();

const healthcheck = z.looseObject({
  Test: texts,
  Interval: whole,
  Timeout: whole,
  StartPeriod: whole,
  StartInterval: whole,
  Retries: whole,
});

/** `config` and `container_config`. */
const holder = z
  .looseObject({
    ...{ Hostname: text, Domainname: text, User: text, Image: text, MacAddress: text, StopSignal: text },
    ...{
      AttachStdin: flag,
      AttachStdout: flag,
      AttachStderr: flag,
      Tty: flag,
      OpenStdin: flag,
      StdinOnce: flag,
    },
    ...{ ArgsEscaped: flag, NetworkDisabled: flag, OnBuild: texts, Shell: texts, StopTimeout: whole },
    ...{ Memory: whole, MemorySwap: whole, CpuShares: whole },
    ExposedPorts: z.record(port, nothing).nullish(),
    Env: z.array(variable).nullish(),
    Cmd: words,
    Entrypoint: words,
    Volumes: z.record(z.string(), nothing).nullish(),
    WorkingDir: folder,
    Labels: z.record(z.string(), z.string()).nullish(),
    Healthcheck: healthcheck.nullish(),
  })
  .nullish();

const step = z.looseObject({
  created: time,
  created_by: text,
  author: text,
  comment: text,
  empty_layer: flag,
});

const configShape = z.looseObject({
  ...{ architecture: z.string(), os: z.string(), variant: text, "os.version": text, "os.features": texts },
  ...{ id: text, parent: text, author: text, comment: text, container: text, docker_version: text },
  created: time,
  Size: whole,
  config: holder,
  container_config: holder,
  rootfs: z.looseObject({ type: text, diff_ids: z.array(digestText) }),
  history: z.array(step).nullish(),
});
