import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { OpenFrame } from "@/components/surface/open-frame";
import { CATEGORIES } from "@/lib/contract/catalog/listing-terms";
import { parseMarketplaceFilter } from "@/lib/domain/catalog/marketplace";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { Landing } from "./landing";
import { ListingCards } from "./listing-cards";
import { CategoryFrame, MarketplaceFilters, ResultLine } from "./marketplace-filters";
import { PublisherProfile } from "./publisher-profile";
import { ReleaseList } from "./release-list";

const apps = Array.from({ length: 12 }, (_, at) => ({
  ...{
    id: String(at),
    organizationSlug: "acme",
    organizationName: "Acme Data",
    appName: `app-${at}`,
    icon: null,
    usedBy: at === 2 ? 1_204 : 0,
    version: at === 5 ? null : `1.${at}.0`,
    connects: at === 5 ? [] : ["Reacts to events, fills in forms", `Connects to api-${at}.vin.example`],
  },
  title: at === 3 ? "A name that is much longer than a card is wide, and goes on" : `VIN autofill ${at}`,
  summary: "Fills in make, model and year from the vehicle identification number, for every quote.".repeat(
    (at % 3) + 1,
  ),
}));

test("visitors start with a search, categories and the newest apps", async () => {
  await renderPage(<Landing newest={apps} />);
  await expect.element(page.getByRole("searchbox", { name: "Search apps" })).toBeVisible();
  expect(page.getByRole("navigation", { name: "Category" }).getByRole("link").elements()).toHaveLength(
    CATEGORIES.length,
  );
  await expect.element(page.getByRole("heading", { name: "VIN autofill 0" })).toBeVisible();
  await checkAppearance("marketplace, home");
});

test("before the first app is public, the front page offers no search and no categories", async () => {
  await renderPage(<Landing newest={[]} />);
  await expect.element(page.getByRole("link", { name: "Create your organization" })).toBeVisible();
  await expect.element(page.getByRole("searchbox")).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Underwriting" })).not.toBeInTheDocument();
});

// Guarantee: on a phone the apps are not pushed down by rows of filters, and every filter is within reach.
test("on a phone categories are a menu, and connections one row that scrolls with the focus", async () => {
  await page.viewport(390, 900);
  const filter = parseMarketplaceFilter({ category: "claims", connects: "endpoints" });
  await renderPage(
    <>
      <CategoryFrame filter={filter} categories={{ claims: 3, data: 12 }}>
        <MarketplaceFilters filter={filter} />
      </CategoryFrame>
    </>,
  );
  const category = page.getByRole("link", { name: "Data and enrichment 12" });
  await expect.element(category).not.toBeInTheDocument();
  await page.getByText("Category:").click();
  await expect.element(category).toBeVisible();
  const chips = () => page.getByRole("navigation", { name: "Connects to" }).getByRole("link").elements();
  const boxes = () => chips().map((chip) => chip.getBoundingClientRect());
  expect(new Set(boxes().map(({ top }) => top)).size).toBe(1);
  const hasRoomForRing = ({ left, right }: DOMRect) => left >= 4 && right <= 386;
  for (const chip of chips()) {
    if (chip instanceof HTMLElement) chip.focus();
    await expect.poll(() => hasRoomForRing(chip.getBoundingClientRect())).toBe(true);
  }
  await checkAppearance("marketplace, filters on a phone", [390]);
});

// Guarantee: no choice leads to an empty page.
test("categories have their counts, and those without a result are left out", async () => {
  await page.viewport(1440, 900);
  const links = () => page.getByRole("navigation", { name: "Category" }).getByRole("link").elements();
  const show = (category: string, categories: Parameters<typeof CategoryFrame>[0]["categories"]) =>
    renderPage(
      <CategoryFrame filter={parseMarketplaceFilter({ category })} categories={categories}>
        Results
      </CategoryFrame>,
    );
  await show("claims", { rating: 3, data: 1_200 });
  expect(links().map((link) => link.textContent)).toEqual([
    "All categories1,203",
    "Rating3",
    "Data and enrichment1,200",
    "Claims0",
  ]);
  await expect.element(page.getByRole("link", { name: "Claims 0" })).toHaveAttribute("aria-current", "true");
  await checkAppearance("marketplace, categories", [1440]);
});

test("too many apps to count are listed without counts", async () => {
  await page.viewport(1440, 900);
  const filter = parseMarketplaceFilter({ q: "vin" });
  await renderPage(
    <>
      <CategoryFrame filter={filter} categories={undefined}>
        <ResultLine filter={filter} total={{ count: 1_000, isMore: true }} />
      </CategoryFrame>
    </>,
  );
  expect(page.getByRole("navigation", { name: "Category" }).getByRole("link").elements()).toHaveLength(
    CATEGORIES.length + 1,
  );
  await expect.element(page.getByText("More than 1,000 apps")).toBeVisible();
  const used = page.getByRole("link", { name: "Most used" });
  await expect.element(used).toHaveAttribute("href", "/marketplace?q=vin&sort=used");
  await expect
    .element(page.getByRole("link", { name: "Relevance" }))
    .toHaveAttribute("href", "/marketplace?q=vin");
});

test("each filter keeps the others and the search, in its address", async () => {
  const filter = parseMarketplaceFilter({ q: "vin", category: "data", connects: "webhooks" });
  await renderPage(
    <OpenFrame signedIn={false}>
      <CategoryFrame filter={filter} categories={{ data: 12, claims: 2 }}>
        <MarketplaceFilters filter={filter} />
        <ResultLine filter={filter} total={{ count: 12, isMore: false }} />
        <ListingCards listings={apps} installed={new Set(["1"])} />
      </CategoryFrame>
    </OpenFrame>,
  );
  const href = (name: string) =>
    page.getByRole("link", { name, exact: true }).first().element().getAttribute("href");
  expect(href("Claims 2")).toBe("/marketplace?q=vin&category=claims&connects=webhooks");
  expect(href("All categories 14")).toBe("/marketplace?q=vin&connects=webhooks");
  expect(href("Newest")).toBe("/marketplace?q=vin&category=data&connects=webhooks&sort=newest");
  expect(href("Autofill")).toBe("/marketplace?q=vin&category=data&connects=webhooks%2Cautofill");
  expect(href("Webhooks")).toBe("/marketplace?q=vin&category=data");
  expect(page.getByText("Installed", { exact: true }).elements()).toHaveLength(1);
  // Of those with enough users, as on a listing's own page.
  expect(
    page
      .getByText(/^Used by/)
      .elements()
      .map((each) => each.textContent),
  ).toEqual(["Used by 1,204 organizations"]);
  expect(document.querySelector('input[name="connects"]')?.getAttribute("value")).toBe("webhooks");
  await checkAppearance("marketplace, filtered");
});

test("release notes are shown, the older ones on demand", async () => {
  const versions = Array.from({ length: 7 }, (_, at) => ({
    ...{ id: String(at), number: `1.${7 - at}.0`, createdAt: new Date("2026-11-01T10:00:00Z") },
    ...{
      verifiedAt: at === 0 ? null : new Date(),
      releaseNotes: at % 2 === 0 ? "- **Faster** answers\n- Fixes" : "",
    },
  }));
  await renderPage(<ReleaseList versions={versions} />);
  await expect.element(page.getByText("1.7.0")).toBeVisible();
  await expect.element(page.getByText("1.1.0")).not.toBeVisible();
  await page.getByText("2 older versions").click();
  await expect.element(page.getByText("1.1.0")).toBeVisible();
  await checkAppearance("marketplace, versions");
});

// Guarantee: a publisher's links lead where they say, and what isn't an https URL leads nowhere.
test("a publisher's page says what the publisher does, and where to reach it", async () => {
  const profile = {
    description: "We decode vehicle data for insurers.\n\nSince 2011, from Oslo.",
    website: "https://acme.example/about",
    supportAddress: "help+apps&you@acme.example",
  };
  await renderPage(<PublisherProfile profile={profile} />);
  const website = page.getByRole("link", { name: "Website: acme.example (opens in a new tab)" });
  await expect.element(website).toHaveAttribute("href", "https://acme.example/about");
  await expect.element(website).toHaveAttribute("rel", "noopener noreferrer nofollow ugc");
  await expect
    .element(page.getByRole("link", { name: "Support: help+apps&you@acme.example" }))
    .toHaveAttribute("href", "mailto:help%2Bapps%26you@acme.example");
  await checkAppearance("marketplace, publisher");
});

test.each(["", "javascript:alert(1)", "http://acme.example"])(
  "the website %j is not shown",
  async (website) => {
    await renderPage(<PublisherProfile profile={{ description: "", website, supportAddress: "" }} />);
    expect(document.querySelectorAll("a")).toHaveLength(0);
  },
);
