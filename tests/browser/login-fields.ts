/**
 * Runs in a page. The fields that a password manager could take for a part of a login, and that are none: browsers fill those with
 * the login that they saved for this site, and offer to save what is typed into them. And the fields of this site's own logins that
 * password managers are told to ignore.
 */
export function listStrayLoginFields(): string[] {
  const passwords = [...document.querySelectorAll<HTMLInputElement>("input[type=password]")];
  const stray = passwords.filter(
    ({ name, autocomplete }) =>
      !["password", "currentPassword"].includes(name) ||
      !["current-password", "new-password"].includes(autocomplete),
  );
  const hints = ["1pIgnore", "lpignore", "bwignore", "protonpassIgnore"];
  const countHints = ({ dataset, classList }: HTMLElement) =>
    hints.filter((name) => dataset[name] === "true").length +
    Number(dataset.formType === "other") +
    Number(classList.contains("keeper-ignore"));
  const own = ["username", "current-password", "new-password", "one-time-code"];
  const ignored = [...document.querySelectorAll<HTMLInputElement>("input")].filter(
    (field) => own.includes(field.autocomplete) && countHints(field) > 0,
  );
  const secrets = [...document.querySelectorAll<HTMLElement>(".masked")];
  const beside = secrets.flatMap((secret) => [
    ...(secret
      .closest("form")
      ?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
        "input:is([type=text], [type=url], [type=email], [type=search]), textarea",
      ) ?? []),
  ]);
  const offered = [...new Set([...secrets, ...beside])].filter(
    (field) => field.getAttribute("autocomplete") !== "off" || countHints(field) < hints.length + 2,
  );
  return [...stray, ...ignored, ...offered].map(({ outerHTML }) => outerHTML.slice(0, 200));
}
