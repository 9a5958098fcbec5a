import { password as askPassword, text as askText } from "@clack/prompts";
import {
  email as emailShape,
  password as passwordShape,
  profileInput,
} from "@/lib/contract/accounts/account";
import { findWeakness, preparePassword } from "@/lib/domain/accounts/sign-in";
import { print } from "./with-platform";

export interface NewModerator {
  name: string;
  email: string;
  password: string;
}

/** What is not given comes from the terminal, if there is one. Undefined if something is missing or wrong. */
export async function askForModerator(given: Partial<NewModerator>): Promise<NewModerator | undefined> {
  const name = given.name ?? (await ask("Name", findNameFault));
  const email = given.email ?? (await ask("Email", findEmailFault));
  const about = [name ?? "", email ?? ""];
  const password =
    given.password ?? (await ask("Password", (typed) => findPasswordFault(typed, about), askPassword));
  if (name === undefined || email === undefined || password === undefined) {
    if (!process.stdin.isTTY)
      print("Without a terminal, set PLATFORM_SETUP_NAME, PLATFORM_SETUP_EMAIL and PLATFORM_SETUP_PASSWORD.");
    return undefined;
  }
  const faults = [findNameFault(name), findEmailFault(email), findPasswordFault(password, about)].filter(
    (fault) => fault !== undefined,
  );
  for (const fault of faults) print(fault);
  return faults.length > 0 ? undefined : { name: name.trim(), email: emailShape.parse(email), password };
}

type Prompt = (options: {
  message: string;
  validate: (typed: string | undefined) => string | undefined;
}) => Promise<string | symbol>;

async function ask(
  message: string,
  findFault: (typed: string) => string | undefined,
  prompt: Prompt = askText,
): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const typed = await prompt({ message, validate: (value) => findFault(value ?? "") });
  return typeof typed === "string" ? typed : undefined;
}

const findNameFault = (name: string) => profileInput.shape.name.safeParse(name).error?.issues[0]?.message;
const findEmailFault = (email: string) => emailShape.safeParse(email).error?.issues[0]?.message;
const findPasswordFault = (typed: string, about: string[]) => {
  const password = preparePassword(typed);
  return passwordShape.safeParse(password).error?.issues[0]?.message ?? findWeakness(password, about);
};
