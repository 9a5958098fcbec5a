import { expect, test } from "vitest";
import { indexSections, searchSections } from "./search-sections";

const section = (page: string, heading: string, text: string) => ({
  path: `/docs/${page.toLowerCase()}#${heading}`,
  page,
  heading,
  text,
});

const index = indexSections([
  section("Webhooks", "", "The platform signs each webhook with a secret."),
  section("Webhooks", "Verify the signature", "Compare signatures in constant time."),
  section("Errors", "APP_TIMED_OUT", "The app did not respond within the deadline."),
  section("Errors", "APP_FAILED", "Not APP_TIMED_OUT: the app returned an error."),
  section("Calls", "Deadlines", `${"Many words. ".repeat(40)}The deadline of a webhook is 30 seconds.`),
]);

const find = (query: string) => searchSections(index, query, 10).map(({ heading, page }) => heading || page);

test("an error code finds its entry first, in any case", () => {
  expect(find("APP_TIMED_OUT")[0]).toBe("APP_TIMED_OUT");
  expect(find("app_timed_out")[0]).toBe("APP_TIMED_OUT");
});

test("accents, width and hyphens make no difference, in either direction", () => {
  const mail = indexSections([
    section("Mail", "One", "An e-mail to Zürich."),
    section("Mail", "Other", "An email to Zurich."),
  ]);
  for (const query of ["email", "e-mail", "Ｅ-ｍａｉｌ", "zurich", "zürich", "e-mail zürich"])
    expect(
      searchSections(mail, query, 10)
        .map(({ heading }) => heading)
        .toSorted(),
      query,
    ).toEqual(["One", "Other"]);
});

test("words match as they are, in another form, as a start, or with a typo; sections with all of them come first", () => {
  expect(find("verif sign")[0]).toBe("Verify the signature");
  expect(find("verifying signed webhooks")[0]).toBe("Verify the signature");
  expect(find("signatrue")).toEqual(["Verify the signature"]);
  expect(find("webhook deadline")[0]).toBe("Deadlines");
  expect(find("how do I verify my signatures")[0]).toBe("Verify the signature");
  expect(find("timed")).toContain("APP_TIMED_OUT");
  expect(find("webhook zebra")).toEqual(find("webhook"));
  expect(find("zebra")).toEqual([]);
  // Not `does`, `webhook` or anything else that is one letter away from another word.
  expect(find("oerrors")).toEqual([]);
  expect(find(" ?! ")).toEqual([]);
});

test("the excerpt is around the first match, which is marked", () => {
  const [hit] = searchSections(index, "seconds", 1);
  const text = hit?.excerpt.map((part) => part.text).join("") ?? "";
  expect(text.startsWith("…")).toBe(true);
  expect(text.length).toBeLessThan(170);
  expect(hit?.excerpt.filter(({ isMatch }) => isMatch)).toEqual([{ text: "seconds", isMatch: true }]);
});
