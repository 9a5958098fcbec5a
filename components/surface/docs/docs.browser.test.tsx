import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { parseGuide } from "@/lib/domain/surface/guide";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { DocsScript } from "./docs-controls";
import { DocsHome } from "./docs-home";
import { GuideBlocks } from "./guide-blocks";
import { SearchDialog } from "./search-dialog";
import { SearchPage } from "./search-page";

const GUIDE = `## Read the state

An app reads its [state](/docs/state-api) with the key. Use \`x-PLATFORM-key\`.

\`\`\`js tab="Node.js"
const key = request.headers["x-platform-key"]; // of this request
\`\`\`

\`\`\`python tab="Python"
key = request.headers["x-platform-key"]  # of this request
\`\`\`

Never write the key to a log.

1. Send a call:

   \`\`\`sh
   platform-app call /autofill --json
   \`\`\`

| code          | meaning    |
| ------------- | ---------- |
| \`BAD_INPUT\` | wrong body |

\`\`\`sh run
platform-app validate --json | jq . # checks it
\`\`\`

\`\`\`text output
The manifest is valid.
\`\`\`

\`\`\`diagram call-flow
\`\`\`

\`\`\`diagram listing-states
\`\`\`

\`\`\`diagram installation-states
\`\`\`

### 2. Answer it

\`\`\`go tab="Go"
key := request.Header.Get("x-PLATFORM-key")
\`\`\`

\`\`\`python tab="Python"
token = state["token"]
\`\`\`
`;

test("a page shows text, code in the chosen language, tables and diagrams", async () => {
  await renderPage(
    <div className="flex flex-col gap-5">
      <GuideBlocks blocks={parseGuide(GUIDE).blocks} />
      <DocsScript />
    </div>,
  );
  await expect.element(page.getByText("const key")).toBeVisible();
  // Not a list with one entry.
  await expect.element(page.getByRole("heading", { name: /^2\. Answer it/ })).toBeVisible();
  await checkAppearance("docs, text");
  await page.getByText("Python", { exact: true }).first().click();
  await expect.element(page.getByText("request.headers[").last()).toBeVisible();
  // The other block follows.
  await expect.element(page.getByText("token =")).toBeVisible();
  expect(page.getByText("key := request").elements()[0]?.checkVisibility()).toBe(false);
});

test("the home page leads to each section", async () => {
  await renderPage(<DocsHome />);
  await expect.element(page.getByRole("link", { name: "Get started" }).first()).toBeVisible();
  await checkAppearance("docs, home");
});

const SECTIONS = [
  {
    path: "/docs/errors#APP_FAILED",
    page: "Errors",
    heading: "APP_FAILED",
    text: "The app returned an error.",
  },
  { path: "/docs/webhooks", page: "Webhooks", heading: "", text: "The platform signs each webhook." },
  { path: "/docs/webhooks#verify", page: "Webhooks", heading: "Verify", text: "Verify a webhook first." },
];

test("the dialog shows results while one types, and the arrow keys choose one", async () => {
  const close = vi.fn();
  await renderPage(<SearchDialog close={close} />, { answers: { "GET /docs/search.json": SECTIONS } });
  const input = page.getByRole("combobox", { name: "Search the docs" });
  await input.fill("webhok");
  await expect.element(page.getByRole("option")).toHaveLength(2);
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(page.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await checkAppearance("docs, search dialog");
  await userEvent.keyboard("{Enter}");
  expect(close).toHaveBeenCalled();
});

test("a search without results suggests others", async () => {
  await renderPage(<SearchPage query="zebra" hits={[]} />);
  await expect.element(page.getByText("No results for “zebra”")).toBeVisible();
  await checkAppearance("docs, no results");
});
