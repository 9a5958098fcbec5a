/** `npm run setup`: creates the first moderator, and helps people who can't sign in. See docs/sign-in.md. */
import { readSettings } from "@/launcher/settings";
import { email as emailShape } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { countModerators, selectUserByEmail } from "@/lib/server/accounts/account-queries";
import { createNewPasswordLink, removeSecondFactorFor } from "@/lib/server/accounts/set-password";
import { createModerator } from "@/lib/server/accounts/sign-up";
import type { Platform } from "@/lib/server/platform/platform";
import { askForModerator, type NewModerator } from "./ask-for-moderator";
import { type ExitCode, print, readOptions, withPlatform } from "./with-platform";

const USAGE = `npm run setup                                      create the first moderator
npm run setup -- --email <address> --name <name>   the same, with PLATFORM_SETUP_PASSWORD set
npm run setup -- --new-password <address>          print a link to set a new password
npm run setup -- --remove-second-factor <address>  for someone who lost their phone and recovery codes`;

const OPTIONS = {
  email: { type: "string" },
  name: { type: "string" },
  "new-password": { type: "string" },
  "remove-second-factor": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export async function run(root: string, args: string[]): Promise<ExitCode> {
  const options = readOptions(args, OPTIONS);
  if (options === undefined) {
    print(`These options are not valid. A password is never an option.\n\n${USAGE}`);
    return 1;
  }
  if (options.help === true) {
    print(USAGE);
    return 0;
  }
  const { "new-password": newPassword, "remove-second-factor": factor, email, name } = options;
  return withPlatform(root, async (platform) => {
    try {
      if (newPassword !== undefined) return await printLink(platform, newPassword);
      if (factor !== undefined) return await removeFactor(platform, factor);
      const { env } = await readSettings(root, false);
      return await setUp(platform, {
        name: name ?? env.PLATFORM_SETUP_NAME,
        email: email ?? env.PLATFORM_SETUP_EMAIL,
        password: env.PLATFORM_SETUP_PASSWORD,
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      print(error.detail);
      return 1;
    }
  });
}

async function printLink(platform: Platform, email: string): Promise<ExitCode> {
  const href = await createNewPasswordLink(platform, email);
  print(`With this link, ${email} can set a new password once, within an hour:\n\n${href}\n`);
  print("Send it in a way that only this person can read.");
  return 0;
}

async function removeFactor(platform: Platform, email: string): Promise<ExitCode> {
  await removeSecondFactorFor(platform, email);
  print(`Two-factor sign-in of ${email} is off, and all sessions have ended.`);
  return 0;
}

/** Changes nothing if the address is a moderator's already. */
async function setUp(platform: Platform, given: Partial<NewModerator>): Promise<ExitCode> {
  const known = given.email;
  const moderators = await countModerators(platform.db);
  if (known === undefined && moderators > 0) {
    print(
      `The platform already has ${moderators === 1 ? "a moderator" : `${moderators} moderators`}. Nothing to do.`,
    );
    print("To add another one, run: npm run setup -- --email <address>");
    return 0;
  }
  if (known !== undefined && (await isModerator(platform, known))) {
    print(`${known} is already a moderator. Nothing was changed.`);
    return 0;
  }
  const moderator = await askForModerator(given);
  if (moderator === undefined) return 1;
  if (await isModerator(platform, moderator.email)) {
    print(`${moderator.email} is already a moderator. Nothing was changed.`);
    return 0;
  }
  await createModerator(platform, moderator);
  print(
    `${moderator.email} can now sign in at ${platform.environment.PLATFORM_WEB_URL}/sign-in as a moderator.`,
  );
  return 0;
}

/** Throws NAME_TAKEN for the address of somebody who isn't: members of organizations can't be moderators. */
async function isModerator(platform: Platform, address: string): Promise<boolean> {
  const email = emailShape.safeParse(address);
  const user = email.success ? await selectUserByEmail(platform.db, email.data) : undefined;
  if (user?.moderator === false)
    throw new Problem(
      "NAME_TAKEN",
      `${address} already has an account of an organization. Use another address for the moderator.`,
    );
  return user !== undefined;
}
