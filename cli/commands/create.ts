import { type CATEGORY_NAMES } from "@/lib/contract/catalog/listing-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { type CreateListingInput, createListingInput } from "@/lib/contract/surface/own-app";
import { findManifestFile, getAppName } from "../manifest/manifest-file";
import { type ChosenApp, createListing, readStatus } from "../platform/apps-api";
import { findCredentials } from "../platform/credentials";
import { whoami } from "../platform/publish-api";
import type { CliContext } from "../terminal/environment";
import { Failure, PlatformProblem, visible } from "../terminal/failure";
import { quote, style } from "../terminal/format";
import { readTextOption } from "../terminal/text-option";
import { checkName } from "./new-app";

export interface CreateOptions {
  manifest: string;
  title?: string;
  /** A text, or `@` and the name of a file. */
  description?: string;
  tagline?: string;
  category?: keyof typeof CATEGORY_NAMES;
}

/** Creates the listing that `publish` needs. A second time, it says that the listing exists and changes nothing. */
export async function create(
  context: CliContext,
  nameArgument: string | undefined,
  options: CreateOptions,
): Promise<void> {
  const { environment, terminal } = context;
  const name = await chooseName(nameArgument, options);
  const app: ChosenApp = { credentials: await findCredentials(environment), name };
  await requireOrganization(app);
  const found = await findListing(app);
  const listing =
    found ?? (await createListing(app, checkText(await completeText(context, name, options), name)));
  if (listing.state === "RETIRED")
    throw new Problem(
      "WRONG_STATE",
      `${name} is retired, so nothing can be published under this name. Choose another name for the app.`,
    );
  terminal.data(listing);
  const { green } = style(terminal);
  if (listing.created)
    terminal.result(`${green("✓")} Created the listing ${name}: ${visible(listing.title)}`);
  else terminal.result(`The listing ${name} already exists: ${visible(listing.title)}`);
  terminal.result(`  ${visible(listing.page)}`);
  if (!listing.created && hasText(options))
    terminal.note("Its text was not changed. Edit it on the page above.");
  terminal.note("Publish a version:  platform-app publish --build .");
}

async function chooseName(argument: string | undefined, { manifest }: CreateOptions): Promise<string> {
  if (argument === undefined)
    return getAppName((await findManifestFile(manifest))?.text, undefined, "Pass <organization>/<app>.");
  const { organization, app } = checkName(argument);
  return `${organization}/${app}`;
}

/** Before anything is asked or sent: the login decides whose listings can be created. */
async function requireOrganization({ credentials, name }: ChosenApp): Promise<void> {
  const { slug } = (await whoami(credentials)).organization;
  const parts = splitAppName(name);
  if (parts === undefined || parts.organization === slug) return;
  throw new Failure(
    "WRONG_USAGE",
    `You are logged in to the organization "${visible(slug)}", but ${name} belongs to "${parts.organization}". Nothing was created.`,
    {
      next: [
        `Use your organization's name:  platform-app create ${quote(`${slug}/${parts.app}`)}`,
        `Or log in to "${parts.organization}":  platform-app login --profile ${parts.organization}`,
      ],
    },
  );
}

/** Undefined if there is none yet. */
async function findListing(app: ChosenApp) {
  try {
    const { title, state, pages } = await readStatus(app);
    return { app: app.name, title, state, created: false, page: pages.app };
  } catch (error) {
    if (error instanceof PlatformProblem && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

function hasText({ title, description, tagline, category }: CreateOptions): boolean {
  return [title, description, tagline, category].some((each) => each !== undefined);
}

/** What the options leave open is asked on a terminal. Without one, the failure names it. */
async function completeText(
  { terminal }: CliContext,
  name: string,
  { title, description, tagline, category }: CreateOptions,
): Promise<CreateListingInput> {
  const product = description === undefined ? undefined : await readTextOption("--description", description);
  const more = { tagline, category };
  if (title !== undefined && product !== undefined) return { title, about: { product }, ...more };
  if (!terminal.interactive) throw missingOptions(name, { title, description });
  const { askListing } = await import("./ask-app");
  const asked = await askListing({ title, description: product });
  return { title: asked.title, about: { product: asked.description }, ...more };
}

function missingOptions(name: string, { title, description }: Pick<CreateOptions, "title" | "description">) {
  const missing = [
    ...(title === undefined ? ["--title <text>"] : []),
    ...(description === undefined ? ["--description <text>"] : []),
  ];
  return new Failure("WRONG_USAGE", `Pass ${missing.join(" and ")}.`, {
    next: [
      `platform-app create ${name} --title ${quote(title ?? "VIN lookup")} --description ${quote(description ?? "Looks up a vehicle by its VIN.")}`,
    ],
  });
}

const FLAGS: Record<string, string> = {
  title: "--title",
  "about.product": "--description",
  tagline: "--tagline",
};

/** The platform would refuse the same. */
function checkText(input: CreateListingInput, name: string): CreateListingInput {
  const checked = createListingInput.safeParse(input);
  if (checked.success) return input;
  const [issue] = checked.error.issues;
  const flag = FLAGS[issue?.path.join(".") ?? ""] ?? "The text";
  throw new Failure("WRONG_USAGE", `${flag}: ${issue?.message ?? "This text can't be used."}`, {
    next: [`platform-app create ${name} --help`],
  });
}
