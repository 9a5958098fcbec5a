import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { DecisionForm } from "./decision-form";
import { ManifestTexts } from "./manifest-texts";

const manifest = (version: string, title: string) =>
  JSON.stringify(
    { name: "acme/vin", version, app: { fields: [{ name: "region", title, type: "Text" }] } },
    null,
    2,
  );
const text = manifest("1.5.0", "Market");

// Guarantee: a moderator never takes the released manifest for the one in the image.
test("a released manifest that differs from the image's is shown with it and the difference", async () => {
  await renderPage(<ManifestTexts number="1.5.0" text={text} imageText={manifest("1.4.0", "Region")} />);
  await expect.element(page.getByText(/The image contains another manifest/)).toBeVisible();
  await expect.element(page.getByText('"Region"').first()).toBeVisible();
  await checkAppearance("review, manifests that differ");
  await page.getByRole("radio", { name: "This version" }).click();
  await expect
    .element(page.getByRole("region", { name: "this version's manifest" }))
    .toHaveTextContent("Market");
  await page.getByRole("radio", { name: "In the image" }).click();
  await expect
    .element(page.getByRole("region", { name: "the image's manifest" }))
    .toHaveTextContent("Region");
});

test("the image's own manifest is called that only if it is the same", async () => {
  await renderPage(<ManifestTexts number="1.5.0" text={text} imageText={text} />);
  await expect.element(page.getByText("As it is at the root of the image.")).toBeVisible();
});

test("another version number alone is not called another manifest", async () => {
  await renderPage(<ManifestTexts number="1.5.0" text={text} imageText={manifest("1.4.0", "Market")} />);
  await expect.element(page.getByText(/the same manifest with another version number/)).toBeVisible();
});

// Guarantee: nothing is published with one click.
test.each([
  [true, "Approve and publish", /publishes the app to everyone/],
  [false, "Approve", /Every organization on this platform can launch this version/],
])("an approval asks first, and says whom it reaches (a draft: %s)", async (publishes, confirm, reach) => {
  const sent: string[] = [];
  await renderPage(
    <DecisionForm
      reviewId="1"
      title="VIN autofill"
      version={{ number: "1.5.0", imageDigest: "sha256:0123" }}
      publishes={publishes}
    />,
    {
      answers: {
        get "POST /api/reviews/1/decision"() {
          sent.push("decision");
          return new Response(null, { status: 204 });
        },
      },
    },
  );
  await page.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Approve version 1.5.0 of VIN autofill?" });
  await expect.element(dialog.getByText(reach)).toBeVisible();
  expect(sent).toEqual([]);
  await checkAppearance(`review, approval of a ${publishes ? "draft" : "later version"}`);
  await dialog.getByRole("button", { name: confirm, exact: true }).click();
  await expect.poll(() => sent).toEqual(["decision"]);
});
