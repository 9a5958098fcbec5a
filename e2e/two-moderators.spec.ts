/** Two moderators at once, and one who belongs to the publisher. */
import type { Page } from "@playwright/test";
import { expect, open, test } from "./fixtures";
import { checkPage, saveLooks } from "./accessibility";
import { givenListing, givenModerator, givenOrganization } from "./given";
import { queryDatabase } from "./start-platform";

const stamp = Date.now().toString(36);
const APP = { publisher: `pair-${stamp}`, name: `pair-${stamp}`, title: `Pair ${stamp}` };
const NAMES = { ada: "Ada Lindqvist", ben: "Ben Okafor" };

test("of two moderators one claims and one decides, and the other loses nothing", async ({
  platform,
  browser,
}) => {
  const { webUrl } = platform;
  const publisher = await givenOrganization(browser, platform, APP.publisher);
  const ada = await givenModerator(browser, platform, NAMES.ada);
  const ben = await givenModerator(browser, platform, NAMES.ben);
  const both = [ada, ben] as const;
  await givenListing(publisher, platform, APP);
  // A text is reviewed without a version, and so without checks.
  await queryDatabase(platform, "update listings set state = 'PUBLIC' where app_name = $1", [APP.name]);
  await open(publisher, `${webUrl}/publish/${APP.name}/edit`);
  await publisher.getByRole("textbox", { name: "Tagline" }).fill("Two are better than one");
  await publisher.getByRole("button", { name: "Review and submit changes" }).click();
  await publisher.getByRole("dialog").getByRole("button", { name: "Submit changes" }).click();
  await publisher.getByRole("link", { name: "Go to the review" }).click();
  await expect(publisher).toHaveURL(/\/reviews\/[0-9a-f-]{36}$/);
  const reviewId = publisher.url().split("/").at(-1) ?? "";
  const reviewUrl = `${webUrl}/moderation/${reviewId}`;

  await test.step("both claim it in the queue: one has it, the other reads who", async () => {
    for (const page of both) await open(page, `${webUrl}/moderation?q=${encodeURIComponent(APP.title)}`);
    await atOnce(both, "**/claim", (page) =>
      page.getByRole("button", { name: `Claim ${APP.title}` }).click(),
    );
    const [winner, loser, name] = await findWinner("Claimed by you");
    const refusal = loser.getByRole("alert").filter({ hasText: `${name} claimed this review.` });
    await expect(refusal).toBeVisible();
    await expect(loser.getByText(`Claimed by ${name}`)).toBeVisible();
    await expect(loser.getByRole("button", { name: `Claim ${APP.title}` })).toHaveCount(0);
    await checkPage(loser, "queue, somebody else was faster");
    await saveLooks(loser, "moderators queue");
    await winner.getByRole("button", { name: `Release ${APP.title}` }).click();
    await expect(winner.getByRole("button", { name: `Claim ${APP.title}` })).toBeVisible();
  });

  await test.step("a moderator of the publisher's organization can't decide, and reads why", async () => {
    const own = `update users set moderator = true where email = 'owner@' || $1 || '.example'`;
    await queryDatabase(platform, own, [APP.publisher]);
    await open(publisher, reviewUrl);
    await expect(
      publisher.getByText("Moderators can't verify apps of their own organization."),
    ).toBeVisible();
    for (const name of ["Approve", "Claim", "Launch in the sandbox"])
      await expect(publisher.getByRole("button", { name })).toHaveCount(0);
    await saveLooks(publisher, "moderators own listing");
    const answer = await publisher.request.post(`${webUrl}/api/reviews/${reviewId}/decision`, {
      headers: { origin: webUrl },
      data: { decision: "approve" },
    });
    expect(answer.status()).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "NOT_ALLOWED",
      detail: "This listing belongs to your organization, so you can't moderate it. Ask another moderator.",
    });
  });

  await test.step("both decide: one decision is final, and the other's note is not lost", async () => {
    for (const page of both) {
      await open(page, reviewUrl);
      await page
        .getByRole("textbox", { name: "Note to the publisher" })
        .fill(page === ada ? "Ada: say who is better." : "Ben: say who is better.");
    }
    await atOnce(both, "**/decision", (page) =>
      page.getByRole("button", { name: "Request changes" }).click(),
    );
    const [winner, loser, name] = await findWinner("Your decision was not recorded", false);
    const lost = winner === ada ? "Ben: say who is better." : "Ada: say who is better.";
    await expect(winner.getByText(`Decided by ${name}`)).toBeVisible();
    await expect(loser.getByText(`Decided by ${name}`)).toBeVisible();
    await expect(loser.getByText(`${name} decided this review first.`)).toBeVisible();
    await expect(loser.getByText(lost)).toBeVisible();
    await checkPage(loser, "review, somebody else was faster");
    await saveLooks(loser, "moderators decided");
    await loser.getByRole("button", { name: "Send as a comment" }).click();
    await expect(loser.getByText("Your decision was not recorded")).toHaveCount(0);
    await open(publisher, `${webUrl}/publish/${APP.name}/reviews/${reviewId}`);
    await expect(publisher.getByText(winner === ada ? "Ada: say who" : "Ben: say who")).toBeVisible();
    await expect(publisher.getByRole("article").getByText(lost)).toBeVisible();
  });

  /** Whose page shows the text, the other page, and the winner's name. `wins`: the text is the winner's. */
  async function findWinner(text: string, wins = true): Promise<[Page, Page, string]> {
    const isAda = await Promise.race([
      ada
        .getByText(text)
        .waitFor()
        .then(() => true),
      ben
        .getByText(text)
        .waitFor()
        .then(() => false),
    ]);
    return isAda === wins ? [ada, ben, NAMES.ada] : [ben, ada, NAMES.ben];
  }
});

/** Lets each page act, and holds their requests until all are sent. */
async function atOnce(
  pages: readonly Page[],
  url: string,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let waiting = 0;
  for (const page of pages)
    await page.route(
      url,
      async (route) => {
        waiting += 1;
        if (waiting === pages.length) release();
        await released;
        await route.continue();
      },
      { times: 1 },
    );
  await Promise.all(pages.map(act));
}
