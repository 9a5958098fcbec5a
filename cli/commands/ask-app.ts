/** The questions of `platform-app init` and `create`. Each can be answered with an option instead. */
import { isCancel, select, text } from "@clack/prompts";
import type { ZodType } from "zod";
import type { AppName } from "@/lib/contract/platform/text-shapes";
import { createListingInput } from "@/lib/contract/surface/own-app";
import { findCredentials } from "../platform/credentials";
import { whoami } from "../platform/publish-api";
import type { CliEnvironment } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { slugProblem } from "./new-app";
import { TEMPLATE_NAMES, type TemplateName, TEMPLATES } from "./templates";

const output = process.stderr;

export async function askName(environment: CliEnvironment): Promise<AppName> {
  const own = await findOrganization(environment);
  const organization = await askSlug("Slug of your organization", "acme", own);
  return { organization, app: await askSlug("Name of the app", "vin-lookup") };
}

export function askTemplate(): Promise<TemplateName> {
  const options = TEMPLATE_NAMES.map((value) => {
    const { title: label, hint } = TEMPLATES[value];
    return { value, label, hint };
  });
  return ask<TemplateName>(select({ message: "Language", options, output }));
}

export function askFolder(initialValue: string): Promise<string> {
  return ask<string>(text({ message: "Folder", initialValue, defaultValue: initialValue, output }));
}

/** Asks for what is missing of a new listing. */
export async function askListing({
  title,
  description,
}: {
  title: string | undefined;
  description: string | undefined;
}): Promise<{ title: string; description: string }> {
  return {
    title: title ?? (await askText("Title, which customers see", "VIN lookup", shape.title)),
    description:
      description ??
      (await askText("What the app does", "Looks up a vehicle by its VIN.", shape.about.shape.product)),
  };
}

const { shape } = createListingInput;

function askText(message: string, placeholder: string, rule: ZodType): Promise<string> {
  const validate = (value: string | undefined) => rule.safeParse(value ?? "").error?.issues[0]?.message;
  return ask<string>(text({ message, placeholder, validate, output }));
}

function askSlug(message: string, placeholder: string, initialValue?: string): Promise<string> {
  const validate = (value: string | undefined) => slugProblem(value ?? "");
  return ask<string>(text({ message, placeholder, initialValue, validate, output }));
}

async function ask<Answer>(question: Promise<Answer | symbol>): Promise<Answer> {
  const answer = await question;
  if (isCancel(answer) || typeof answer === "symbol")
    throw new Failure("INTERRUPTED", "Stopped. Nothing was created.");
  return answer;
}

/** The organization that this machine publishes for, if the platform says so soon. */
async function findOrganization(environment: CliEnvironment): Promise<string | undefined> {
  return findCredentials(environment)
    .then((credentials) => whoami(credentials, AbortSignal.timeout(2_000)))
    .then(
      ({ organization }) => organization.slug,
      () => undefined,
    );
}
