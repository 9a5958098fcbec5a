/**
 * Runs in a page. The fields that a password manager could take for a part of a login, and that are none: browsers fill those with
 * the login that they saved for this site, and offer to save what is typed into them.
 */
export function listStrayLoginFields(): string[] {
  const passwords = [...document.querySelectorAll<HTMLInputElement>("input[type=password]")];
  const stray = passwords.filter(
    ({ name, autocomplete }) =>
      !["password", "currentPassword"].includes(name) ||
      !["current-password", "new-password"].includes(autocomplete),
  );
  const secrets = [...document.querySelectorAll<HTMLElement>(".masked")];
  const beside = secrets.flatMap((secret) => [
    ...(secret
      .closest("form")
      ?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
        "input:is([type=text], [type=url], [type=email]), textarea",
      ) ?? []),
  ]);
  const offered = [...new Set(beside)].filter(
    (field) =>
      field.autocomplete !== "off" ||
      ["1pIgnore", "lpignore", "bwignore", "protonpassIgnore"].some(
        (name) => field.dataset[name] !== "true",
      ) ||
      field.dataset.formType !== "other",
  );
  return [...stray, ...offered].map(({ outerHTML }) => outerHTML.slice(0, 200));
}
