import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ListingState, ListingText } from "@/lib/contract/catalog/listing";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ListingView } from "../marketplace/listing-view";
import { ListingEditor } from "./listing-editor";
import type { TextReview } from "./publish-notice";

/** Another listing in each test: what an earlier one left unsaved is not of this one. */
let id = 0;
let PATH = "";
beforeEach(() => {
  id += 1;
  PATH = `/api/listings/${id}/text`;
});

const text: ListingText = {
  title: "VIN autofill",
  tagline: "",
  category: "other",
  about: { product: "Looks up a VIN.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "", privacy: "", website: "" },
  icon: null,
  screenshots: [],
};
const saved = (revision: number, updatedBy = "Ada") => ({
  revision,
  updatedAt: "2026-11-22T10:00:00.000Z",
  updatedBy,
});

const MANIFEST = { name: "acme/vin", version: "1.0.0" };

interface Given {
  state?: ListingState;
  review?: TextReview;
  answers?: Record<string, unknown>;
  shown?: ListingText;
  /** What somebody else saves just before the first save. */
  theirs?: { text: ListingText } & ReturnType<typeof saved>;
}

const STALE = Response.json({ code: "STALE_REVISION", detail: "Saved." }, { status: 409 });

/** Stores what is saved, and records the requests. */
async function givenEditor({ state = "DRAFT", review, answers = {}, shown = text, theirs }: Given = {}) {
  const requests: { method: string; path: string; body: unknown }[] = [];
  let stored = { text: shown, ...saved(3) };
  const rendered = await renderPage(
    <ListingEditor
      listing={{
        id: String(id),
        appName: "vin",
        state,
        organizationSlug: "acme",
        organizationName: "Acme Apps",
      }}
      draft={stored}
      publicText={text}
      review={review}
      manifest={MANIFEST}
      warnings={0}
      preview={<ListingView text={shown} publisher={{ name: "Acme Apps" }} manifest={MANIFEST} />}
    />,
    // The editor looks for a newer draft before `fetch` is replaced.
    { answers: { [`GET ${PATH}`]: stored, ...answers } },
  );
  const answer = window.fetch;
  window.fetch = async (path, init) => {
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : init?.body;
    const method = init?.method ?? "GET";
    requests.push({ method, path: String(path), body });
    if (path !== PATH || `${method} ${PATH}` in answers) return answer(path, init);
    if (method === "GET") return Response.json(stored);
    if (theirs !== undefined && stored.revision < theirs.revision) {
      stored = theirs;
      return STALE.clone();
    }
    const change = saved(stored.revision + 1);
    stored = { text: body.text, ...change };
    return Response.json(change);
  };
  return { requests, unmount: rendered.unmount };
}

const preview = page.getByRole("region", { name: "Preview" });

// Guarantee: publishers see what the public will see, and what they typed is saved without a button.
test("what is typed shows in the preview at once and is saved", async () => {
  await page.viewport(1440, 900);
  const { requests } = await givenEditor();
  await page.getByLabelText("Tagline").fill("Make and model from the VIN");
  await page.getByLabelText("Product").fill("Looks up a **VIN**.");
  await expect.element(preview.getByText("Make and model from the VIN")).toBeVisible();
  await expect.element(preview.getByText("VIN", { exact: true })).toBeVisible();
  // Another editor that was open in this page before may still send its draft.
  await expect
    .poll(() => requests.filter(({ method, path }) => method === "PUT" && path === PATH))
    .toMatchObject([
      {
        path: PATH,
        body: { revision: 3, text: { tagline: "Make and model from the VIN", title: "VIN autofill" } },
      },
    ]);
  await expect.element(page.getByText(/Saved/)).toBeVisible();
  await checkAppearance("listing editor, draft");
});

test("the notice of a draft leads to where a version is submitted", async () => {
  await givenEditor();
  await expect
    .element(page.getByRole("link", { name: "Go to versions" }))
    .toHaveAttribute("href", "/publish/vin/versions");
});

// Guarantee: nothing is cut silently.
test("pictures for which there is no room are counted", async () => {
  await page.viewport(1440, 900);
  const image = (at: number) => String(at).repeat(64);
  const screenshots = [1, 2, 3, 4, 5].map((at) => ({ image: image(at), caption: `Picture ${at}` }));
  await givenEditor({
    shown: { ...text, screenshots },
    answers: { "POST /api/images?use=screenshot": { digest: image(6), width: 1, height: 1 } },
  });
  const input = document.querySelector<HTMLInputElement>("#screenshots input[type=file]");
  const chosen = new DataTransfer();
  for (const name of ["a.png", "b.png", "c.png"])
    chosen.items.add(new File(["x"], name, { type: "image/png" }));
  if (input === null) throw new Error("there is no button for pictures");
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  await expect.element(page.getByText("6 of 6")).toBeVisible();
  await expect
    .element(page.getByText("2 pictures were not added: a listing has at most 6 screenshots."))
    .toBeVisible();
});

test("on a phone, the preview is a view of its own", async () => {
  await page.viewport(390, 900);
  await givenEditor();
  await expect.element(preview).not.toBeInTheDocument();
  await page.getByRole("radio", { name: "Preview" }).click();
  await expect.element(preview).toBeVisible();
  await checkAppearance("listing editor, preview", [390]);
});

// Guarantee: neither a lost connection nor a reload loses typed text.
test("what could not be saved is back after a reload", async () => {
  const offline = Response.json({ code: "UNAVAILABLE", detail: "No." }, { status: 503 });
  const { unmount } = await givenEditor({ answers: { [`PUT ${PATH}`]: offline } });
  await page.getByLabelText("Tagline").fill("Typed offline");
  await expect.element(page.getByText("Offline, saved in this browser")).toBeVisible();
  await unmount();
  const { requests } = await givenEditor();
  await expect.element(page.getByLabelText("Tagline")).toHaveValue("Typed offline");
  await expect
    .poll(() => requests.filter(({ method }) => method === "PUT"))
    .toMatchObject([{ body: { revision: 3, text: { tagline: "Typed offline" } } }]);
  // The page also says "Saved" before it sends what it restored.
  await expect.poll(() => localStorage.length).toBe(0);
  await expect.element(page.getByText(/Saved/)).toBeVisible();
});

// Guarantee: when somebody else saved, nothing is overwritten and nothing typed is lost.
test("a conflict shows both texts, and a merge keeps the changes of both", async () => {
  const theirs = { text: { ...text, title: "VIN lookup" }, ...saved(4, "Grace") };
  const { requests } = await givenEditor({ theirs });
  await page.getByLabelText("Tagline").fill("Mine");
  await expect.element(page.getByText(/Grace changed this listing/)).toBeVisible();
  await expect.element(page.getByLabelText("Tagline")).toHaveValue("Mine");
  await checkAppearance("listing editor, conflict");
  await page.getByRole("button", { name: "See differences" }).click();
  await expect.element(page.getByRole("dialog", { name: "Differences" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await page.getByRole("button", { name: "Merge" }).click();
  await expect.element(page.getByLabelText("Title")).toHaveValue("VIN lookup");
  await expect.element(page.getByLabelText("Tagline")).toHaveValue("Mine");
  await expect
    .poll(() => requests.at(-1)?.body)
    .toMatchObject({ revision: 4, text: { title: "VIN lookup", tagline: "Mine" } });
});

test("a public listing shows what differs, and submits what was saved", async () => {
  const shown = { ...text, tagline: "New", links: { ...text.links, support: "https://acme.example/help" } };
  const submit = `${PATH}/review`;
  const { requests } = await givenEditor({
    ...{ state: "PUBLIC", shown },
    answers: { [`POST ${submit}`]: Response.json({ reviewId: "9" }, { status: 201 }) },
  });
  await page.getByRole("button", { name: "Review and submit changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Submit these changes?" });
  await expect.element(dialog.getByText("https://acme.example/help")).toBeVisible();
  await checkAppearance("listing editor, submit changes");
  await dialog.getByLabelText("Note to the moderator").fill("A new tagline.");
  await dialog.getByRole("button", { name: "Submit changes" }).click();
  await expect
    .poll(() => requests.find(({ path }) => path === submit)?.body)
    .toEqual({ revision: 3, note: "A new tagline." });
});

test("a change in review can be seen, and its review leads to withdrawing it", async () => {
  const review: TextReview = { id: "9", state: "PENDING", note: "", text: { ...text, tagline: "Submitted" } };
  await givenEditor({
    state: "PUBLIC",
    review,
    shown: { ...text, tagline: "Typed later" },
  });
  await expect.element(page.getByText("Your change is in review")).toBeVisible();
  await expect.element(page.getByText(/not part of the review/)).toBeVisible();
  await checkAppearance("listing editor, in review");
  const link = page.getByRole("link", { name: "Go to the review" });
  await expect.element(link).toHaveAttribute("href", "/publish/vin/reviews/9");
});

test("links that attack are refused at their field", async () => {
  await givenEditor();
  await page.getByLabelText("Support link or email address").fill("javascript:alert(1)");
  await expect.element(page.getByText(/or a public URL that starts with https/)).toBeVisible();
});

test("the checklist leads to each field that is missing", async () => {
  await page.viewport(1440, 900);
  await givenEditor();
  await page.getByRole("button", { name: "A support link or email address" }).click();
  await expect.element(page.getByLabelText("Support link or email address")).toHaveFocus();
  await page.getByRole("button", { name: /^A tagline/ }).click();
  await expect.element(page.getByLabelText("Tagline")).toHaveFocus();
});

test("pictures are uploaded as they are, captioned, ordered and removed", async () => {
  const [one, two] = ["a".repeat(64), "b".repeat(64)];
  const shown = {
    ...text,
    screenshots: [
      { image: one, caption: "One" },
      { image: two, caption: "Two" },
    ],
  };
  const { requests } = await givenEditor({
    shown,
    answers: { "POST /api/images?use=icon": { digest: "c".repeat(64), width: 256, height: 256 } },
  });
  const file = new File([new Uint8Array([1, 2, 3])], "icon.png", { type: "image/png" });
  const input = document.querySelector<HTMLInputElement>('section[aria-label="Icon"] input[type=file]');
  if (input === null) throw new Error("no file input");
  await userEvent.upload(input, file);
  await expect.element(page.getByRole("button", { name: "Replace" })).toBeVisible();
  expect(requests.find(({ path }) => path === "/api/images?use=icon")?.body).toBeInstanceOf(Blob);
  await page.getByRole("button", { name: "Move screenshot 2 up" }).click();
  await expect.element(page.getByLabelText("Caption 1")).toHaveValue("Two");
  await checkAppearance("listing editor, pictures");
  await page.getByRole("button", { name: "Remove screenshot 1" }).click();
  await expect.element(page.getByLabelText("Caption 1")).toHaveValue("One");
  await expect
    .poll(() => requests.findLast(({ method }) => method === "PUT")?.body)
    .toMatchObject({ text: { icon: "c".repeat(64), screenshots: [{ image: one, caption: "One" }] } });
});

test("a refused picture says why", async () => {
  const refused = Response.json(
    { code: "BAD_INPUT", detail: "This file is not a picture." },
    { status: 400 },
  );
  await givenEditor({ answers: { "POST /api/images?use=icon": refused } });
  const input = document.querySelector<HTMLInputElement>('section[aria-label="Icon"] input[type=file]');
  if (input === null) throw new Error("no file input");
  await userEvent.upload(input, new File(["<svg/>"], "icon.png", { type: "image/png" }));
  await expect.element(page.getByText("This file is not a picture.")).toBeVisible();
});

// Guarantee: a declaration is typed with names of countries, and saved with their codes.
test("a privacy declaration is added, says what is missing, and is saved", async () => {
  await page.viewport(1440, 900);
  const { requests } = await givenEditor();
  const lastSaved = () =>
    requests.filter(({ method }) => method === "PUT").at(-1)?.body ?? { text: { privacy: null } };
  await expect.element(preview.getByText(/has not declared what data the app accesses/)).toBeVisible();
  await page.getByRole("button", { name: "Declare" }).click();
  const part = page.getByRole("region", { name: "Privacy", exact: true });
  expect(part.getByText(/^(Choose|Enter|Say)/).elements()).toEqual([]);
  const claims = part.getByRole("checkbox", { name: "Claims" });
  await claims.click({ force: true });
  await claims.click({ force: true });
  await expect.element(part.getByText(/^Choose what the app accesses/)).toBeVisible();
  await claims.click({ force: true });
  await expect.element(part.getByText(/^Choose what the app accesses/)).not.toBeInTheDocument();
  await part.getByRole("radio", { name: "Yes" }).click({ force: true });
  const countries = part.getByRole("textbox", { name: "Countries that it is stored in" });
  await countries.fill("switzerland, de, Atlantis");
  await expect.element(part.getByText("Not a country: Atlantis.")).toBeVisible();
  await countries.fill("switzerland, de");
  await userEvent.tab();
  await expect.element(countries).toHaveValue("Switzerland, Germany");
  await part.getByRole("textbox", { name: "How long data is kept" }).fill("30");
  await part.getByRole("button", { name: "Add a sub-processor" }).click();
  await part.getByRole("textbox", { name: "Company 1" }).fill("Acme <b>Cloud</b>");
  await part.getByRole("textbox", { name: "Country 1" }).fill("Ireland");
  await part.getByRole("textbox", { name: "Purpose 1" }).fill("Hosting");
  await part.getByRole("textbox", { name: "Contact for privacy" }).fill("privacy@acme.example");
  await expect.element(preview.getByText("Acme <b>Cloud</b> (Ireland): Hosting")).toBeVisible();
  await expect.element(preview.getByText("Yes, in Germany, Switzerland")).toBeVisible();
  await expect.poll(lastSaved).toMatchObject({
    text: {
      privacy: {
        data: ["claims"],
        storedOutside: true,
        countries: ["CH", "DE"],
        subProcessors: [{ name: "Acme <b>Cloud</b>", purpose: "Hosting", country: "IE" }],
        retention: "30",
        contact: "privacy@acme.example",
      },
    },
  });
  await checkAppearance("listing editor, privacy");
  await part.getByRole("button", { name: "Remove", exact: true }).first().click();
  await expect.poll(lastSaved).toMatchObject({ text: { privacy: null } });
});

test("terms need a link and a version, and each error goes with its cause", async () => {
  await givenEditor();
  const link = page.getByRole("textbox", { name: "Terms link" });
  const version = page.getByRole("textbox", { name: "Version of the terms" });
  await link.fill("http://acme.example/terms");
  await expect.element(page.getByText("This link is not secure.", { exact: false })).toBeVisible();
  await link.fill("https://acme.example/terms");
  await expect.element(page.getByText(/^Name the version of the terms/)).toBeVisible();
  await version.fill("2026-11");
  await expect.element(page.getByText(/^Name the version of the terms/)).not.toBeInTheDocument();
  await link.fill("");
  await expect.element(page.getByText("Enter the link to the terms.")).toBeVisible();
  await version.fill("");
  await expect.element(page.getByText("Enter the link to the terms.")).not.toBeInTheDocument();
});
