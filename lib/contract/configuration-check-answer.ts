import * as z from "zod";

export const CHECK_ISSUES = 100;

const checkIssue = z.looseObject({
  /** A setting's name. Left out for an issue about several settings, or none. */
  setting: z.string("Send the setting's name, or leave it out.").optional(),
  message: z
    .string("Send a message that says what is wrong and how to fix it.")
    .regex(/\S/, "Send a message that says what is wrong and how to fix it."),
});

/** To `POST /_app/check`. */
export const configurationCheckAnswer = z
  .looseObject({
    ok: z.boolean("Send true or false."),
    issues: z
      .array(checkIssue, "Send a list of issues, or leave it out.")
      .max(CHECK_ISSUES, `Send at most ${CHECK_ISSUES} issues.`)
      .default([]),
  })
  .refine(({ ok, issues }) => ok === (issues.length === 0), {
    path: ["issues"],
    message: 'Send issues if "ok" is false, and none if it is true.',
  });

export type ConfigurationCheckAnswer = z.infer<typeof configurationCheckAnswer>;
