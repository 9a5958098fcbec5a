import { signIn } from "next-auth/react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ConfirmEmail } from "./mailed-link";
import { ForgotPasswordForm, NewPasswordForm } from "./reset-password";
import { SignInForm } from "./sign-in-form";
import { OperatorHelp } from "./sign-in-help";
import { ConfirmSignUpForm, SignUpForm } from "./sign-up-form";

const TOKEN = "A".repeat(43);
const done = new Response(null, { status: 204 });

/** What the platform says to a sign-in. */
function givenRefusal(error: string) {
  vi.mocked(signIn).mockResolvedValue({ ok: false, error, status: 401, url: null });
}

async function enterPassword() {
  await page.getByLabelText("Email").fill("ada@acme.example");
  await page.getByLabelText("Password", { exact: true }).fill("tidal lantern orbit");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

// Guarantee: the code is a second step, and going back loses nothing.
test("an account with a second factor asks for the code", async () => {
  givenRefusal("SECOND_FACTOR_NEEDED");
  await renderPage(<SignInForm destination="/home" oidcName="Acme ID" />);
  await checkAppearance("sign in");
  await enterPassword();
  await expect.element(page.getByLabelText("Code", { exact: true })).toHaveFocus();
  await checkAppearance("sign in, code");
  await page.getByRole("button", { name: "Back" }).click();
  await expect.element(page.getByLabelText("Email")).toHaveValue("ada@acme.example");
});

test("a refusal says how long to wait", async () => {
  givenRefusal("TOO_MANY_REQUESTS 840");
  await renderPage(<SignInForm destination="/home" />);
  await enterPassword();
  await expect.element(page.getByText(/Try again in 14 minutes/)).toBeVisible();
  await checkAppearance("sign in, too many tries");
});

test("signing up where mail is configured ends with a message to open", async () => {
  await renderPage(<SignUpForm />, { answers: { "POST /api/sign-up": { outcome: "MAILED" } } });
  await page.getByLabelText("Company name").fill("Acme");
  await page.getByLabelText("Your name").fill("Ada");
  await page.getByLabelText("Email").fill("ada@acme.example");
  await page.getByLabelText("Password", { exact: true }).fill("tidal lantern orbit");
  await page.getByRole("button", { name: "Create organization" }).click();
  await expect.element(page.getByText("Check your email")).toBeVisible();
  await checkAppearance("sign up, mail sent");
});

test("asking for a new password says the same for every address", async () => {
  await renderPage(<ForgotPasswordForm />, { answers: { "POST /api/forgot-password": done } });
  await checkAppearance("forgot password");
  await page.getByLabelText("Email").fill("nobody@acme.example");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect.element(page.getByText(/If the address has an account/)).toBeVisible();
  await checkAppearance("forgot password, mail sent");
});

test("without mail, the page says how an operator helps", async () => {
  await renderPage(<OperatorHelp />);
  await expect.element(page.getByText(/npm run setup -- --new-password/)).toBeVisible();
  await checkAppearance("forgot password, no mail");
});

test("a link sets a new password", async () => {
  const fetched = vi.fn();
  await renderPage(<NewPasswordForm />, {
    path: `/new-password#${TOKEN}`,
    answers: { "POST /api/new-password": { email: "ada@acme.example" } },
  });
  vi.stubGlobal("fetch", wrap(fetched));
  await page.getByLabelText("New password", { exact: true }).fill("copper window sky");
  await checkAppearance("new password");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect.element(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(fetched).toHaveBeenCalledWith({ token: TOKEN, password: "copper window sky" });
  await checkAppearance("new password, set");
});

/** Tells what was sent. */
function wrap(told: (body: unknown) => void) {
  const send = globalThis.fetch;
  return (path: string, request: RequestInit) => {
    told(JSON.parse(String(request.body)));
    return send(path, request);
  };
}

test("a link that was not copied in full is explained", async () => {
  await renderPage(<NewPasswordForm />, { path: "/new-password#short" });
  await expect.element(page.getByText("This link is not complete")).toBeVisible();
  await checkAppearance("new password, incomplete link");
});

test("a link that was used says what to do", async () => {
  const gone = {
    code: "NOT_FOUND",
    detail: "This link was already used, or it is more than 1 hour old. Ask for a new one.",
  };
  await renderPage(<ConfirmEmail />, {
    path: `/confirm-email#${TOKEN}`,
    answers: { "POST /api/confirm-email": Response.json(gone, { status: 404 }) },
  });
  await page.getByRole("button", { name: "Confirm address" }).click();
  await expect.element(page.getByText(/Ask for a new one/)).toBeVisible();
  await checkAppearance("confirm email, used link");
});

test("confirming a sign-up asks for the password that was chosen", async () => {
  await renderPage(<ConfirmSignUpForm />, { path: `/sign-up/confirm#${TOKEN}` });
  await expect.element(page.getByText("The password that you chose when you signed up.")).toBeVisible();
  await checkAppearance("confirm sign-up");
});
