import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { compareTexts } from "@/components/catalog/editor/changes/compare-texts";
import type { ListingText, ListingVisibility } from "@/lib/contract/catalog/listing";
import { CHECK_NAMES } from "@/lib/contract/moderation/check-names";
import type { EvidenceCheck, EvidenceView } from "@/lib/contract/moderation/review";
import { isSameManifest } from "@/lib/domain/catalog/listing";
import { CHECK_TITLES } from "@/lib/domain/moderation/verdict";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { DecisionForm } from "./decision-form";
import { ImageCard } from "./image-card";
import { ListingTextCard } from "./listing-text-card";
import { ManifestReview } from "./manifest-review";
import { ReviewComments } from "./review-comments";

const manifest = (version: string, title: string) =>
  JSON.stringify(
    { name: "acme/vin", version, app: { fields: [{ name: "region", title, type: "Text" }] } },
    null,
    2,
  );
const text = manifest("1.5.0", "Market");

/** A version's manifest as its review shows it. */
const review = (imageText: string, before?: string) =>
  renderPage(
    <ReviewComments reviewId="1" initial={[]} mayWrite>
      <ManifestReview
        number="1.5.0"
        text={text}
        image={imageText === text ? undefined : { text: imageText, isSame: isSameManifest(text, imageText) }}
        before={
          before === undefined
            ? undefined
            : { number: "1.4.0", text: before, comparison: compareTexts(before, text) }
        }
      />
    </ReviewComments>,
    { answers: { "GET /api/reviews/1/comments": { comments: [] } } },
  );

// Guarantee: a moderator never takes the released manifest for the one in the image.
test("a released manifest that differs from the image's is shown with it and the difference", async () => {
  await review(manifest("1.4.0", "Region"));
  await expect.element(page.getByText(/The image contains a different manifest/)).toBeVisible();
  await expect.element(page.getByText('"Region"').first()).toBeVisible();
  await checkAppearance("review, manifests that differ");
});

test("the image's own manifest is called that only if it is the same", async () => {
  await review(text);
  await expect.element(page.getByText(/The manifest at the root of the image/)).toBeVisible();
});

test("a different version number alone is not called a different manifest", async () => {
  await review(manifest("1.4.0", "Market"));
  await expect.element(page.getByText(/the same manifest with a different version number/)).toBeVisible();
  await expect.element(page.getByRole("list", { name: "Lines of the manifest" })).toBeVisible();
});

// Guarantee: a moderator reads what changed since the last approval before anything else.
test("the changes since the last approval are listed, and shown as a difference", async () => {
  await review(text, manifest("1.4.0", "Region"));
  await expect.element(page.getByRole("deletion").getByText("Region")).toBeVisible();
  await expect.element(page.getByRole("insertion").getByText("Market")).toBeVisible();
  await checkAppearance("review, changes of the manifest");
  await page.getByRole("radio", { name: "Difference" }).click();
  await expect.element(page.getByText("Version 1.4.0, last approved").first()).toBeVisible();
});

const listing: ListingText = {
  title: "VIN autofill",
  tagline: "Fills in vehicle data",
  category: "data",
  about: { product: "Looks up a VIN and fills in **make** and model.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "https://acme.example/support", privacy: "", website: "" },
  icon: null,
  screenshots: [],
};

test("a changed text shows word by word what was removed and added, field by field", async () => {
  const product = "Looks up a VIN and fills in **make**, model and year.\u202Eevil";
  await renderPage(
    <ReviewComments reviewId="1" initial={[]} mayWrite>
      <ListingTextCard
        text={{ ...listing, category: "rating", about: { ...listing.about, product } }}
        before={listing}
      />
    </ReviewComments>,
    { answers: { "GET /api/reviews/1/comments": { comments: [] } } },
  );
  await expect.element(page.getByText("2 fields changed since the last approval.")).toBeVisible();
  await expect.element(page.getByRole("insertion").getByText("Rating")).toBeVisible();
  await expect.element(page.getByText("[U+202E]evil")).toBeVisible();
  await expect.element(page.getByText("Title")).not.toBeInTheDocument();
  await checkAppearance("review, changes of the text");
});

test("before the first approval, the whole text is shown", async () => {
  await renderPage(
    <ReviewComments reviewId="1" initial={[]} mayWrite={false}>
      <ListingTextCard text={listing} before={undefined} />
    </ReviewComments>,
    { answers: { "GET /api/reviews/1/comments": { comments: [] } } },
  );
  await expect.element(page.getByText("Fills in vehicle data")).toBeVisible();
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
  await checkAppearance("review, a first text");
});

test("an image's facts show what is new since the last approval, and never a value", async () => {
  const before = {
    archiveBytes: 9_000_000,
    layers: [{ diffId: "a", bytes: 1 }],
    user: "app",
    exposedPorts: ["8080/tcp"],
    environmentNames: ["PATH", "OLD"],
    unlisted: 0,
  };
  const facts = {
    ...before,
    archiveBytes: 12_000_000,
    layers: [...before.layers, { diffId: "b", bytes: 1 }],
    user: "",
    environmentNames: ["PATH", "TELEMETRY_URL"],
    unlisted: 7,
  };
  await renderPage(
    <ImageCard
      imageDigest={`sha256:${"a".repeat(64)}`}
      isExample={false}
      image={{ facts, before, sharedLayers: 1 }}
      beforeNumber="1.4.0"
    />,
  );
  for (const shown of ["2, 1 of them unchanged", "12.0 MB", "TELEMETRY_URL", "New"])
    await expect.element(page.getByText(shown, { exact: true })).toBeVisible();
  await expect
    .element(page.getByText("7 more ports, volumes, and environment variables are not shown."))
    .toBeVisible();
  for (const gone of ["was app", "was 9.0 MB", "removed: OLD"])
    await expect.element(page.getByText(gone, { exact: true })).toBeVisible();
  await checkAppearance("review, image facts");
});

// Guarantee: a moderator is not told that something is missing where nothing is.
test("an example app says that it has no image, and a missing archive that it is missing", async () => {
  const digest = `sha256:${"a".repeat(64)}`;
  await renderPage(
    <>
      <ImageCard imageDigest={digest} isExample image={null} beforeNumber={undefined} />
      <ImageCard imageDigest={digest} isExample={false} image={null} beforeNumber={undefined} />
    </>,
  );
  await expect.element(page.getByText(/^This example app comes with the platform/)).toBeVisible();
  expect(page.getByText(/is not in the store/).elements()).toHaveLength(1);
  await checkAppearance("review, no image");
});

const check = (name: EvidenceCheck["name"], result: EvidenceCheck["result"] = "PASS"): EvidenceCheck => ({
  ...{ name, result, title: CHECK_TITLES[name] },
  ...{ detail: "Seen.", ms: 4 },
});
const CHECKED: EvidenceView = {
  state: "DONE",
  reason: null,
  facts: null,
  checks: CHECK_NAMES.map((name) => check(name)),
  queuedAt: "2026-11-22T10:00:00.000Z",
  endedAt: "2026-11-22T10:01:00.000Z",
};

interface Decided {
  publishes?: boolean;
  visibility?: ListingVisibility;
  refusal?: string;
  evidence?: EvidenceView;
}

const decision = ({ publishes = false, visibility = "EVERYONE", refusal, evidence = CHECKED }: Decided) => (
  <ReviewComments reviewId="1" initial={[]} mayWrite>
    <DecisionForm
      reviewId="1"
      title="VIN autofill"
      version={{ number: "1.5.0", imageDigest: "sha256:0123", isExample: false }}
      evidence={evidence}
      publishes={publishes}
      visibility={visibility}
      refusal={refusal}
    />
  </ReviewComments>
);

// Guarantee: nothing is published with one click.
test.each([
  [
    true,
    "EVERYONE",
    "Approve and publish",
    /publishes the app\. Everyone can see it and launch this version/,
  ],
  [true, "LINK", "Approve and publish", /Only people with its secret link can see it/],
  [false, "NAMED", "Approve", /Only the organizations that its publisher names can launch this version/],
  [false, "EVERYONE", "Approve", /Everyone can launch this version/],
] as const)(
  "an approval asks first, and says whom it reaches (a draft: %s, seen by %s)",
  async (publishes, visibility, confirm, reach) => {
    const sent: string[] = [];
    await renderPage(decision({ publishes, visibility }), {
      answers: {
        "GET /api/reviews/1/comments": { comments: [] },
        "GET /api/reviews/1/evidence": { evidence: CHECKED },
        get "POST /api/reviews/1/decision"() {
          sent.push("decision");
          return new Response(null, { status: 204 });
        },
      },
    });
    await page.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Approve version 1.5.0 of VIN autofill?" });
    await expect.element(dialog.getByText(reach)).toBeVisible();
    const later = dialog.getByText(/can show it to everyone later/);
    expect(later.elements()).toHaveLength(visibility === "EVERYONE" ? 0 : 1);
    expect(sent).toEqual([]);
    await checkAppearance(`review, approval of a ${publishes ? "draft" : "later version"}, ${visibility}`);
    await dialog.getByRole("button", { name: confirm, exact: true }).click();
    await expect.poll(() => sent).toEqual(["decision"]);
  },
);

const answersWith = (evidence: EvidenceView, onDecision: (body: unknown) => void) => {
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit = {}) => {
    if (method !== "POST") return Response.json(path.endsWith("/evidence") ? { evidence } : { comments: [] });
    onDecision(JSON.parse(String(body)));
    return new Response(null, { status: 204 });
  });
};

// Guarantee: nobody approves what the platform has not looked at yet without knowing it.
test("while the checks run, an approval says which have not finished, and asks", async () => {
  const evidence: EvidenceView = {
    ...CHECKED,
    state: "RUNNING",
    endedAt: null,
    checks: [check("architecture"), check("image-settings", "SKIPPED"), check("port", "FAIL")],
  };
  const sent: unknown[] = [];
  await renderPage(decision({ evidence }), { answers: {} });
  answersWith(evidence, (body) => sent.push(body));
  await expect.element(page.getByText(/checks are running: 3 of 12 have finished/)).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog.getByText(/Failed \(1\)/)).toBeVisible();
  await expect.element(dialog.getByText(/Skipped \(1\)/)).toBeVisible();
  await expect.element(dialog.getByText(/Not finished \(9\)/)).toBeVisible();
  await checkAppearance("review, approval before the checks end");
  await dialog.getByRole("button", { name: "Approve without the checks" }).click();
  await expect.poll(() => sent).toEqual([{ decision: "approve", note: "", unchecked: true }]);
});

test("a rejection needs a note, says so at its field, and asks before it is sent", async () => {
  const sent: unknown[] = [];
  await renderPage(decision({}), { answers: {} });
  answersWith(CHECKED, (body) => sent.push(body));
  await page.getByRole("button", { name: "Reject" }).click();
  const note = page.getByRole("textbox", { name: "Note to the publisher" });
  await expect.element(page.getByText("Tell the publisher why you reject it.")).toBeVisible();
  await expect.element(note).toHaveFocus();
  await expect.element(page.getByRole("alertdialog")).not.toBeInTheDocument();
  await checkAppearance("review, a rejection without a note");
  await note.fill("It sends data to a host that it does not name.");
  await page.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Reject version 1.5.0 of VIN autofill?" });
  await expect.element(dialog).toBeVisible();
  expect(sent).toEqual([]);
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect
    .poll(() => sent)
    .toEqual([{ decision: "reject", note: "It sends data to a host that it does not name." }]);
});

// Guarantee: a moderator who is slower than another one can't decide, but loses nothing that they typed.
test("a note that somebody else's decision overtakes stays, and can be sent as a comment", async () => {
  const sent: unknown[] = [];
  const { rerender } = await renderPage(decision({}), {
    answers: {
      "GET /api/reviews/1/comments": { comments: [] },
      "GET /api/reviews/1/evidence": { evidence: CHECKED },
    },
  });
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit = {}) => {
    if (method === "POST") sent.push([path, JSON.parse(String(body))]);
    if (method === "POST") return new Response(null, { status: 204 });
    return Response.json(path.endsWith("/evidence") ? { evidence: CHECKED } : { comments: [] });
  });
  await page.getByRole("textbox", { name: "Note to the publisher" }).fill("Say where the data goes.");
  await rerender(<main id="main">{decision({ refusal: "Rhea decided this review first." })}</main>);
  await expect.element(page.getByText("Your note was not sent")).toBeVisible();
  await expect.element(page.getByText("Say where the data goes.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Approve" })).not.toBeInTheDocument();
  await checkAppearance("review, a note that was overtaken");
  await page.getByRole("button", { name: "Send as a comment" }).click();
  await expect.element(page.getByText("Your note was not sent")).not.toBeInTheDocument();
  expect(sent).toEqual([["/api/reviews/1/comments", { body: "Say where the data goes." }]]);
});
