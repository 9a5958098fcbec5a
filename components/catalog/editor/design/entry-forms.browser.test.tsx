/** Forms of the inspector, in the editor itself: names and values that follow their texts, and formats. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { checkedDraftJson } from "@/lib/domain/catalog/manifest/check-manifest";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { selectEntry } from "@/tests/browser/select-entry";
import { ManifestEditor } from "../manifest-editor";

const versionId = "6f1b2c34-0000-4000-8000-000000000051";

async function open(
  id: string,
  fields: unknown[],
  names?: { setting: string[]; mapping: string[] },
  permissions?: string[],
) {
  localStorage.clear();
  await page.viewport(1440, 900);
  const text = JSON.stringify({ name: "acme/named", version: "1.0.0", app: { fields } });
  const draft = { text, revision: 3, baseVersionId: null, updatedAt: null, updatedBy: null };
  const createdAt = "2026-11-21T10:00:00.000Z";
  const published = names && { versionId, number: "1.0.0", createdAt, differs: false, names };
  const listing = { id, appName: "named", name: "acme/named", title: "Named", permissions, published };
  await renderPage(<ManifestEditor listing={listing} draftJson={checkedDraftJson(draft, "acme/named")} />, {
    path: "/publish/named/manifest",
    answers: { [`GET /api/listings/${id}/manifest`]: draft },
  });
}

const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const add = (name: string) => page.getByRole("button", { name: `Add ${name}`, exact: true }).click();

test("a new Select starts empty, its name follows its title, and its values follow their texts", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000052", []);
  await add("Select");
  await expect.element(field("Title")).toHaveFocus();
  await userEvent.keyboard("API region");
  await expect.element(field("Title")).toHaveValue("API region");
  await expect.element(field("Name")).toHaveValue("apiRegion");
  await expect.element(field("Text 1")).toHaveValue("");
  await field("Text 1").fill("North America");
  await expect.element(field("Value 1")).toHaveValue("north-america");
  await field("Text 1").fill("Europe");
  await expect.element(field("Value 1")).toHaveValue("europe");
  await field("Value 1").fill("eu");
  await field("Text 1").fill("Europe and Asia");
  await expect.element(field("Value 1")).toHaveValue("eu");
  // An emptied value is made from its text again.
  await field("Value 1").fill("");
  await userEvent.tab();
  await expect.element(field("Value 1")).toHaveValue("europe-and-asia");
  // An edited name stays.
  await field("Name").fill("zone");
  await field("Title").fill("Region");
  await expect.element(field("Name")).toHaveValue("zone");
});

// Guarantee: who brings an app with pages finds out that they must be declared, and how.
test("an app without endpoints is offered a page, which browsers can open", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000058", []);
  const endpoints = page.getByRole("region", { name: "Endpoints" });
  await expect
    .element(endpoints)
    .toHaveTextContent("No endpoints. Browsers reach only the paths that you add here.");
  await checkAppearance("endpoints-empty");
  await endpoints.getByRole("button", { name: "Add a page" }).click();
  await expect.element(field("Path")).toHaveValue("/");
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect
    .element(page.getByRole("textbox", { name: /manifest/i }))
    .toHaveTextContent('"endpoints":[{"path":"/","methods":["GET"],"access":"public","title":"Page"}]');
});

test("once the app was published with a name, neither the name nor its values follow a text", async () => {
  const values = [{ text: "Europe", value: "europe" }];
  const fields = [{ name: "region", title: "Region", type: "Select", values }];
  await open("6f1b2c34-0000-4000-8000-000000000053", fields, { setting: ["region"], mapping: [] });
  await selectEntry("Region");
  await field("Title").fill("Zone");
  await field("Text 1").fill("The whole of Europe");
  await expect.element(page.getByRole("row", { name: "Zone", exact: true })).toBeVisible();
  await expect.element(field("Name")).toHaveValue("region");
  await expect.element(field("Value 1")).toHaveValue("europe");
});

test("a mapping field asks for a JSONPath, or for text", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000054", []);
  await add("Mapping field");
  await expect.element(field("Title")).toHaveFocus();
  const format = (name: string) =>
    page.getByRole("radiogroup", { name: "Format" }).getByRole("radio", { name });
  await expect.element(format("JSONPath")).toBeChecked();
  await format("Text").click({ force: true });
  await expect.element(page.getByText(/It isn't checked/)).toBeVisible();
  await checkAppearance("editor, mapping format");
  await page.viewport(1440, 900);
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect.element(page.getByText(/"format"/)).toBeVisible();
  await page.getByRole("tab", { name: "Design" }).click();
  await format("JSONPath").click({ force: true });
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect.element(page.getByText(/"title"/)).toBeVisible();
  await expect.element(page.getByText(/"format"/)).not.toBeInTheDocument();
});

test("the app's switch writes and removes core.configurationCheck", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000055", [{ name: "key", title: "Key", type: "Password" }]);
  await page.getByRole("button", { name: /^App\s*Named/ }).click();
  const toggle = page.getByRole("switch", { name: "Check settings before saving" });
  await expect.element(toggle).not.toBeChecked();
  await toggle.click({ force: true });
  await expect.element(toggle).toBeChecked();
  await checkAppearance("editor, configuration check");
  await page.viewport(1440, 900);
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect.element(page.getByText(/"configurationCheck"/)).toBeVisible();
  await page.getByRole("tab", { name: "Design" }).click();
  await toggle.click({ force: true });
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect.element(page.getByText(/"Password"/)).toBeVisible();
  await expect.element(page.getByText(/"configurationCheck"/)).not.toBeInTheDocument();
});

test("permissions that the operator added are suggested, and have no warning", async () => {
  const known = ["policies:read", "ledger:read"];
  await open("6f1b2c34-0000-4000-8000-000000000060", [], undefined, known);
  await add("Permission");
  await page.getByRole("button", { name: /Common permissions/ }).click();
  await page.getByRole("option", { name: "ledger:read" }).click();
  await expect.element(field("Name")).toHaveValue("ledger:read");
  await field("Purpose").fill("Reads the ledger");
  const warning = page.getByText(/not a permission that cores commonly have/);
  await expect.element(warning).not.toBeInTheDocument();
  await field("Name").fill("ledger:write");
  await expect.element(warning.first()).toBeVisible();
});

// Guarantee: who says nothing about hosts allows every host, and sees that.
test("permissions and hosts are declared, and an empty list of hosts differs from none", async () => {
  await open("6f1b2c34-0000-4000-8000-000000000059", [
    { name: "endpointUrl", title: "Endpoint", type: "Text" },
  ]);
  const hosts = page.getByRole("region", { name: "Hosts" });
  await expect.element(hosts).toHaveTextContent("Any host on the internet");
  await page.getByRole("button", { name: /^App\s*Named/ }).click();
  const limited = page.getByRole("switch", { name: "Connect only to listed hosts" });
  await limited.click({ force: true });
  await expect.element(hosts).toHaveTextContent("No hosts: the app connects only to the core");
  await add("Permission");
  await expect.element(field("Name")).toHaveValue("policies:read");
  await field("Purpose").fill("Reads the vehicle of the policy");
  await add("Host");
  await expect.element(field("Host")).toHaveFocus();
  await field("Host").fill("https://api.vin.example/v1");
  await expect.element(page.getByText(/is an address, not a host/).first()).toBeVisible();
  await field("Host").fill("api.vin.example");
  const ports = page.getByRole("textbox", { name: /^Ports/ });
  await ports.fill("443-445");
  await expect.element(page.getByText(/^Write numbers with commas between them/)).toBeVisible();
  await ports.fill("443, 8443");
  await expect.element(page.getByText(/^Write numbers with commas between them/)).not.toBeInTheDocument();
  await field("Purpose").fill("Decodes VINs");
  await page.getByRole("switch", { name: "Works without it" }).click({ force: true });
  await checkAppearance("editor, host");
  await page.viewport(1440, 900);
  await add("Host");
  await page.getByRole("radio", { name: "The customer" }).click();
  await page.getByRole("button", { name: /Choose one.*Setting|Setting.*Choose one/ }).click();
  await page.getByRole("option", { name: "endpointUrl" }).click();
  await field("Purpose").fill("Your own endpoint");
  await page.getByRole("tab", { name: "JSON" }).click();
  const text = page.getByRole("textbox", { name: /manifest/i });
  await expect
    .element(text)
    .toHaveTextContent(
      '"permissions":[{"name":"policies:read","purpose":"Reads the vehicle of the policy"}]',
    );
  await expect
    .element(text)
    .toHaveTextContent(
      '"hosts":[{"host":"api.vin.example","purpose":"Decodes VINs","ports":[443,8443],"optional":true},{"purpose":"Your own endpoint","setting":"endpointUrl"}]',
    );
});
