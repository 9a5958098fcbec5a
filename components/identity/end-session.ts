import { signOut } from "next-auth/react";
import { callApi, ProblemError } from "@/lib/client/api";

/** Ends the session in the database first, so that a copied cookie stops working, then removes the cookie. */
export async function endSession(): Promise<void> {
  await callApi("POST", "/api/sign-out").catch((error: unknown) => {
    // The session has already ended, so only the cookie is left to drop.
    if (!(error instanceof ProblemError) || error.body.code !== "NOT_SIGNED_IN") throw error;
  });
  await signOut({ redirect: false });
}
