/** The largest manifest there can be: 100 settings of 200 values each, a line a value, just under 1 MiB of text. */
export function limitManifest(): string {
  return manifestOf(100, 200);
}

/** What an app has as a rule. */
export function smallManifest(): string {
  return manifestOf(3, 5);
}

function manifestOf(settings: number, values: number): string {
  const fields = Array.from({ length: settings }, (_, at) => ({
    name: `setting${at + 1}`,
    title: `Setting ${at + 1}`,
    type: "Select",
    hint: "Where the customer finds it",
    required: at % 2 === 0,
    values: Array.from({ length: values }, (_, of) => ({ text: `Choice ${of + 1}`, value: `c${of + 1}` })),
  }));
  const text = JSON.stringify({ name: "acme/vin-autofill", version: "1.0.0", app: { fields } });
  return `${text.replaceAll(/([[,])\{/g, "$1\n      {")}\n`;
}
