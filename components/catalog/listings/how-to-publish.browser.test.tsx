import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { HowToPublish, PublishLine } from "./next-steps";

const block = (name: string) => page.getByRole("region", { name, exact: true });

// Guarantee: someone who follows the steps has the tool, and an image for amd64 with the manifest at its root.
test("the steps say how to install the command, and show the COPY line and the platform", async () => {
  await renderPage(
    <HowToPublish
      name="acme/vin-lookup"
      gatewayUrl="https://apps.example"
      webUrl="https://platform.example"
      first
    />,
  );
  await expect
    .element(block("the install command"))
    .toHaveTextContent("npm install --global https://platform.example/platform-app.tgz");
  await expect.element(block("the sign-in command")).toHaveTextContent("--url https://apps.example");
  await expect.element(block("the Dockerfile line")).toHaveTextContent("COPY platform-app.json /");
  await expect.element(block("the build command")).toHaveTextContent("--platform linux/amd64");
  await expect.element(block("the init command")).toHaveTextContent("init --name acme/vin-lookup");
  await expect.element(block("the dev command")).toHaveTextContent("platform-app dev");
  await expect
    .element(block("the publish command"))
    .toHaveTextContent("platform-app publish acme/vin-lookup:latest");
  await checkAppearance("how to publish");
});

test("after the first version, how to publish is one line with a link", async () => {
  await renderPage(<PublishLine name="acme/vin-lookup" />);
  await expect.element(page.getByText("platform-app publish acme/vin-lookup:latest")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "How to publish" }))
    .toHaveAttribute("href", "/docs/publishing");
});
