import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { Downloads } from "@/components/platform/downloads";
import { FilterTabs, Pager, SortTabs } from "./page-header";
import { SearchForm } from "./search-form";

const links = () =>
  page
    .getByRole("link")
    .elements()
    .map((link) => [link.textContent, link.getAttribute("href")]);

test("a filter has the number of its rows, also if there are none, and a sort has no number", async () => {
  await renderPage(
    <>
      <FilterTabs
        label="State"
        options={[
          { href: "/x", text: "All", count: 1204, current: true },
          { href: "/x?state=DOWN", text: "Down", count: 0, current: false },
        ]}
      />
      <FilterTabs label="Sort by" options={[{ href: "/x?sort=newest", text: "Newest", current: false }]} />
    </>,
  );
  expect(links().map(([text]) => text)).toEqual(["All (1,204)", "Down (0)", "Newest"]);
});

// Guarantee: an order keeps the filters, begins at the first page, and the default has the shortest address.
test("a list is filtered, sorted and downloaded", async () => {
  await renderPage(
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <SearchForm path="/organization/api-keys" label="Search keys" value="" />
      <FilterTabs
        label="State"
        options={[
          { href: "/x", text: "Working", count: 12, current: true },
          { href: "/x?state=ended", text: "Expired and revoked", count: 1000, most: 1000, current: false },
        ]}
      />
      <SortTabs
        path="/x"
        query={{ q: "ci" }}
        sorts={[
          { sort: "newest", text: "Newest" },
          { sort: "used", text: "Last used" },
        ]}
        current="used"
      />
      <div className="flex flex-wrap gap-1 sm:ml-auto">
        <Downloads path="/api/x/export" query={{ q: "ci", sort: "used" }} organizationId="acme" what="keys" />
      </div>
    </div>,
  );
  expect(links()).toEqual([
    ["Working (12)", "/x"],
    ["Expired and revoked (1,000+)", "/x?state=ended"],
    ["Newest", "/x?q=ci"],
    ["Last used", "/x?q=ci&sort=used"],
    ["CSV", "/api/x/export?q=ci&sort=used&format=csv&organization=acme"],
    ["JSON", "/api/x/export?q=ci&sort=used&format=json&organization=acme"],
    ["JSON lines", "/api/x/export?q=ci&sort=used&format=jsonl&organization=acme"],
  ]);
  await expect.element(page.getByRole("navigation", { name: "Sort by" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Last used" })).toHaveAttribute("aria-current", "true");
  await checkAppearance("list controls");
});

// Guarantee: a list leads to both pages beside this one, and to its beginning, with its filters.
test("the pages beside a page", async () => {
  await renderPage(
    <Pager
      path="/tenants"
      query={{ q: "north" }}
      pages={{ isFirst: false, previous: "before:7", next: "9" }}
      total="245 tenants"
    />,
  );
  expect(links()).toEqual([
    ["First page", "/tenants?q=north"],
    ["Previous page", "/tenants?q=north&after=before%3A7"],
    ["Next page", "/tenants?q=north&after=9"],
  ]);
  await expect.element(page.getByText("245 tenants")).toBeVisible();
  await checkAppearance("pager");
});

test("a previous page that is the first has no cursor", async () => {
  await renderPage(
    <Pager path="/x" parameter="reviews" query={{}} pages={{ isFirst: false, previous: "" }} />,
  );
  expect(links()).toEqual([["Previous page", "/x"]]);
});

test("a list of one page has no pager", async () => {
  await renderPage(<Pager path="/x" query={{}} pages={{ isFirst: true }} total="3 rows" />);
  await expect.element(page.getByRole("navigation", { name: "Pages" })).not.toBeInTheDocument();
});
