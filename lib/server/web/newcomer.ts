/** The sign-up form is filled in for people who come from the identity provider without an account. */
import type { Profile } from "next-auth";
import * as z from "zod";
import { readCookie, setCookie } from "./cookies";

const SECONDS = 15 * 60;

/** A provider may send anything. Anything that doesn't look like a name or an address is not shown. */
const shape = z.object({
  name: z.string().trim().max(100).catch(""),
  email: z.string().trim().max(254).catch(""),
});

/** In a sealed cookie, because URLs end up in logs. It proves nothing: the address is confirmed as every other is. */
export async function keepNewcomer(profile: Profile): Promise<void> {
  await setCookie("newcomer", shape.parse(profile), SECONDS);
}

export async function readNewcomer(): Promise<z.infer<typeof shape>> {
  return shape.parse((await readCookie("newcomer")) ?? {});
}
