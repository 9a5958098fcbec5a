import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ReportLink } from "./report-link";
import { ReportForm, ReportList } from "./reports";

const form = <ReportForm listingId="1" title="VIN autofill" listingPath="/marketplace/acme/vin" />;

test("a report needs a text, is sent once, and says what happens next", async () => {
  const sent: string[] = [];
  await renderPage(form, {
    answers: {
      get "POST /api/listings/1/reports"() {
        sent.push("report");
        return Response.json({ reportId: "1" }, { status: 201 });
      },
    },
  });
  const field = page.getByRole("textbox", { name: "What is wrong?" });
  await expect.element(field).toHaveAttribute("aria-required", "true");
  await expect.element(page.getByText("At least 10 characters.", { exact: false })).toBeVisible();
  expect(document.body.textContent).not.toContain("optional");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect.element(page.getByText("Describe the problem in at least 10 characters.")).toBeVisible();
  await checkAppearance("listing report, without a text");
  await page.getByRole("textbox", { name: "What is wrong?" }).fill("It sends data elsewhere.");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect.element(page.getByText("The moderators have your report")).toBeVisible();
  expect(sent).toEqual(["report"]);
  await checkAppearance("listing report, sent");
});

// Guarantee: nobody looks for a contact that isn't there.
test.each([true, false])(
  "a listing says if its publisher gives no contact (a contact: %s)",
  async (hasContact) => {
    await renderPage(<ReportLink href="/marketplace/acme/vin/report" hasContact={hasContact} />);
    await expect
      .element(page.getByRole("link", { name: "Report a problem with this listing" }))
      .toBeVisible();
    expect(page.getByText(/gives no contact details/).elements()).toHaveLength(hasContact ? 0 : 1);
  },
);

test("a report that is refused says why, and keeps the text", async () => {
  const detail = "You already reported a problem with VIN autofill.";
  await renderPage(form, {
    answers: {
      "POST /api/listings/1/reports": Response.json({ code: "WRONG_STATE", detail }, { status: 409 }),
    },
  });
  const text = page.getByRole("textbox", { name: "What is wrong?" });
  await text.fill("It sends data elsewhere.");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect.element(page.getByText(detail)).toBeVisible();
  await expect.element(text).toHaveValue("It sends data elsewhere.");
});

// Guarantee: a report can neither push others off the page nor disguise what it is about.
test("gaps in a report are closed, and direction marks in a title are shown", async () => {
  const report = {
    ...{ id: "7", text: `It is down.${"\n".repeat(60)}Really.`, createdAt: new Date(), closedAt: null },
    ...{ reporter: "Hana Ito", listingId: "1", title: "\u202Eabc", organizationName: "Acme Apps" },
  };
  await renderPage(<ReportList reports={[report]} />);
  await expect.element(page.getByRole("link", { name: "[U+202E]abc" })).toBeVisible();
  expect(page.getByText("Really.").element().getBoundingClientRect().height).toBeLessThan(100);
});

test("moderators read what was reported, and mark it as handled", async () => {
  const sent: string[] = [];
  const report = {
    ...{ id: "7", text: "It is down.\n\u202EEvery day.", createdAt: new Date(), closedAt: null },
    ...{ reporter: "Hana Ito", listingId: "1", title: "VIN autofill", organizationName: "Acme Apps" },
  };
  await renderPage(<ReportList reports={[report, { ...report, id: "8", closedAt: new Date() }]} />, {
    answers: {
      get "DELETE /api/listing-reports/7"() {
        sent.push("close");
        return new Response(null, { status: 204 });
      },
    },
  });
  await checkAppearance("listing reports");
  await page.getByRole("button", { name: "Mark the report about VIN autofill as handled" }).click();
  await expect.poll(() => sent).toEqual(["close"]);
});
