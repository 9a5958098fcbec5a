import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { ListingView } from "./listing-view";
import { Markdown } from "./markdown";

const text: ListingText = {
  title: "VIN autofill",
  tagline: "Make and model year from the VIN alone",
  category: "data",
  about: { product: "Fills in **make** and model year.", company: "Acme Apps.", offering: "- One\n- Two" },
  requirements: { technicalDetails: "One container.", launchInstructions: "", complianceDetails: "" },
  links: { support: "https://acme.example/help", privacy: "https://аcme.example/privacy", website: "" },
  icon: null,
  screenshots: [1, 2, 3].map((n) => ({
    image: String(n).repeat(64),
    caption: n === 2 ? "" : `Picture ${n}`,
  })),
};

test("a listing shows its pictures, words and links", async () => {
  const manifest = {
    ...{ name: "acme/vin", version: "1.0.0" },
    core: { webhooks: [{ path: "/e", events: ["policy.issued"] }] },
  };
  await renderPage(
    <ListingView
      text={text}
      publisher={{ name: "Acme Apps", href: "/publishers/acme", domains: ["acme.example"] }}
      manifest={manifest}
      heading="h1"
    />,
  );
  await expect.element(page.getByRole("heading", { level: 1, name: "VIN autofill" })).toBeVisible();
  await expect.element(page.getByText("Is notified of policy issued")).toBeVisible();
  await expect.element(page.getByText("Verified domain acme.example")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: /^Contact the publisher/ }))
    .toHaveAttribute("rel", expect.stringContaining("noopener"));
  // A look-alike from another alphabet is recognizable.
  await expect.element(page.getByText("xn--cme-5cd.example")).toBeVisible();
  await expect.element(page.getByRole("link", { name: /^Website/ })).not.toBeInTheDocument();
  await checkAppearance("listing view");
});

// Guarantee: a reader learns what an app does with data before what its publisher says about it.
test("what the app does comes first, and how to launch it stays in view", async () => {
  const manifest = { name: "acme/vin", version: "1.0.0" };
  const launch = () =>
    page
      .getByRole("link", { name: "Launch" })
      .elements()
      .map((link) => link.getBoundingClientRect());
  await page.viewport(390, 800);
  await renderPage(
    <ListingView
      text={{ ...text, about: { ...text.about, company: "Line.\n\n".repeat(60) } }}
      publisher={{ name: "Acme Apps", contact: "help@acme.example" }}
      manifest={manifest}
      heading="h1"
      facts={<Card title="Measured by the platform">84 ms</Card>}
      actions={<LinkButton href="/launch/acme/vin">Launch</LinkButton>}
    />,
  );
  const headings = page.getByRole("heading", { level: 2 }).elements();
  expect(headings.map((heading) => heading.textContent)).toEqual([
    "In plain words",
    "Measured by the platform",
    "About",
    "Requirements",
    "Privacy",
    "Links",
  ]);
  expect(launch()[0]?.bottom).toBeLessThanOrEqual(800);
  await checkAppearance("listing view, with a bar", [390]);
  await page.viewport(1440, 800);
  window.scrollTo(0, 1_500);
  await expect.poll(() => launch()[0]?.top ?? -1).toBeGreaterThan(0);
  expect(launch()[0]?.bottom).toBeLessThan(800);
});

test.each([
  ["help@acme.example", "mailto:help@acme.example"],
  ["", "mailto:desk@acme.example"],
])("a listing with the contact %j is answered at %s", async (support, href) => {
  await renderPage(
    <ListingView
      text={{ ...text, links: { ...text.links, support } }}
      publisher={{ name: "Acme Apps", contact: "desk@acme.example" }}
    />,
  );
  await expect
    .element(page.getByRole("link", { name: "Contact the publisher" }))
    .toHaveAttribute("href", href);
});

test("an app that uses all that it asks for has a badge, whose rule is on the page", async () => {
  const hosts = [{ host: "api.vin.example", purpose: "Decodes VINs" }];
  const manifest = { ...{ name: "acme/vin", version: "1.0.0" }, core: { hosts } };
  await renderPage(
    <ListingView text={text} publisher={{ name: "Acme Apps" }} manifest={manifest} usesAll heading="h1" />,
  );
  await expect.element(page.getByText("Asks for nothing it doesn't use").first()).toBeVisible();
  await expect.element(page.getByText(/within the last 90 days, it connected to every host/)).toBeVisible();
  await checkAppearance("listing view, uses all");
});

// Guarantee: everything that a mouse can see in the pictures, a keyboard can too.
test("the viewer is used by keyboard, and focus returns to the picture", async () => {
  await renderPage(<ListingView text={text} publisher={{ name: "Acme Apps" }} />);
  const second = page.getByRole("button", { name: "View Screenshot 2" });
  (second.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const viewer = page.getByRole("dialog", { name: "Screenshots" });
  await expect.element(viewer.getByText("2 of 3")).toBeVisible();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(viewer.getByText("3 of 3")).toBeVisible();
  await userEvent.keyboard("{ArrowRight}{ArrowLeft}{ArrowLeft}");
  await expect.element(viewer.getByText("2 of 3")).toBeVisible();
  await checkAppearance("listing view, screenshot");
  await userEvent.keyboard("{Escape}");
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(second).toHaveFocus();
});

const HOSTILE = `
# Big
<script>window.attacked = true</script><img src=x onerror="window.attacked = true">
<a href="javascript:window.attacked=true">raw</a>

![tracks you](https://evil.example/pixel.png)
[script](javascript:window.attacked=true) [data](data:text/html,<script>1</script>) [http](http://evil.example)
[user](https://bank.example@evil.example/) [relative](/api/listings) [blob](blob:https://x) [vb](vbscript:x)
[look-alike](https://аpple.example/login) [fine](https://acme.example/help) [mail](mailto:help@acme.example)
www.evil.example <javascript:alert(1)>
- [x] done
- [ ] open

right-to-left \u202Eevil\u202C mark
`;

// Guarantee: a publisher's Markdown runs, loads and imitates nothing.
test("hostile Markdown is inert", async () => {
  await renderPage(<Markdown>{HOSTILE}</Markdown>);
  const hrefs = page
    .getByRole("link")
    .elements()
    .map((link) => link.getAttribute("href"));
  expect(hrefs.map((href) => decodeURI(href ?? ""))).toEqual([
    "https://аpple.example/login",
    "https://acme.example/help",
    "mailto:help@acme.example",
  ]);
  for (const link of page.getByRole("link").elements())
    expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow ugc");
  await expect.element(page.getByText(/\(xn--pple-43d\.example\)/)).toBeVisible();
  expect(document.querySelectorAll("main img, main script, main input, main iframe, main h1")).toHaveLength(
    0,
  );
  await expect.element(page.getByText("right-to-left [U+202E]evil[U+202C] mark")).toBeVisible();
  expect("attacked" in window).toBe(false);
});

// Guarantee: what a publisher declares is text, whatever it contains, and a missing declaration is said.
test("the privacy declaration is a table of plain text", async () => {
  const privacy = {
    data: ["people" as const, "claims" as const],
    otherData: "<img src=x onerror=alert(1)>",
    storedOutside: true,
    countries: ["CH"],
    subProcessors: [{ name: "Acme \u202eCloud", purpose: "Hosting", country: "IE" }],
    retention: "30",
    contact: "https://acme.example/privacy",
  };
  const publisher = { name: "Acme Apps" };
  const { rerender } = await renderPage(<ListingView text={{ ...text, privacy }} publisher={publisher} />);
  const table = page.getByRole("table", { name: "Privacy declaration of the publisher" });
  await expect.element(table.getByText("<img src=x onerror=alert(1)>")).toBeVisible();
  await expect.element(table.getByText("Acme [U+202E]Cloud (Ireland): Hosting")).toBeVisible();
  await expect.element(table.getByText("Yes, in Switzerland")).toBeVisible();
  await expect.element(table.getByText("30 days")).toBeVisible();
  await expect
    .element(table.getByRole("link", { name: /^acme.example/ }))
    .toHaveAttribute("href", privacy.contact);
  expect(document.querySelector("img[src=x]")).toBeNull();
  await checkAppearance("listing view, privacy");
  await rerender(<ListingView text={{ ...text, privacy: null }} publisher={publisher} />);
  await expect.element(page.getByText(/^The publisher has not declared/)).toBeVisible();
});
