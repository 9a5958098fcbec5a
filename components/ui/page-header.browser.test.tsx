import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { FilterTabs, Pager } from "./page-header";

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
