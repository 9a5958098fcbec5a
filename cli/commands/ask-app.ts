/** The questions of `platform-app init`. Each can be answered with an option instead. */
import { isCancel, select, text } from "@clack/prompts";
import type { AppName } from "@/lib/contract/platform/text";
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
