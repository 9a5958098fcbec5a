import { signIn } from "next-auth/react";
import { rightAddress } from "@/lib/client/navigation";

export type SignInResult =
  { state: "signed-in" } | { state: "code-needed" } | { state: "failed"; reason: string };

/** Signs in with next-auth. `code`: of an authenticator app, once it was asked for. */
export async function trySignIn({
  email,
  password,
  code = "",
}: {
  email: string;
  password: string;
  code?: string;
}): Promise<SignInResult> {
  // next-auth would send an absent code as the text "undefined".
  const input = code === "" ? { email, password } : { email, password, code };
  const answer = await signIn("credentials", { redirect: false, ...input }).catch(() => undefined);
  if (answer === undefined) return { state: "failed", reason: explainFailure(rightAddress()) };
  if (answer.ok && !answer.error) return { state: "signed-in" };
  if (answer.error === "SECOND_FACTOR_NEEDED") return { state: "code-needed" };
  return { state: "failed", reason: explainError(answer.error ?? "") };
}

/** next-auth doesn't say why it failed. `right`: the page's right address, if this is another. */
export function explainFailure(right: string | undefined): string {
  if (right === undefined) return "Can't reach the platform. Check your connection and try again.";
  return `This is not the platform's address. Sign in at ${new URL(right).origin}.`;
}

/** `error`: a problem's code, maybe with the seconds to wait, or one of next-auth's. */
export function explainError(error: string): string {
  const [code, seconds] = error.split(" ");
  if (code === "CredentialsSignin") return "Wrong email or password.";
  if (code === "WRONG_CODE")
    return "This code is wrong or was already used. Enter the next code that the app shows.";
  if (code === "TOO_MANY_REQUESTS")
    return `Too many attempts. Try again in ${describeWait(Number(seconds))}, or use a browser where you have signed in before.`;
  if (code === "OVERLOADED") return "Too many people are signing in right now. Try again in a few seconds.";
  if (code === "DATABASE_UNAVAILABLE")
    return "Nobody can sign in right now, because the platform's database is unavailable. Try again in a moment.";
  return "Sign-in failed because of an error on our side. Try again in a moment.";
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (!(minutes > 0)) return "a few minutes";
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
