import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { parseGuide } from "@/lib/domain/surface/guide";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { DocsScript } from "./docs-controls";
import { DocsArticle, DocsFrame } from "./docs-frame";
import { DocsHome } from "./docs-home";
import { GuideBlocks } from "./guide-blocks";
import { PartIndex } from "./part-index";
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

const PART = { slug: "calls", title: "Calls" };
const CODES = ["APP_FAILED", "APP_TIMED_OUT", "APP_NOT_RUNNING", "OPERATION_NOT_DECLARED", "BAD_PATH"];

// Guarantee: a link to an entry that moved to a part is one click away from it, without JavaScript too.
test("a page that is split lists its parts and their entries", async () => {
  await renderPage(
    <DocsFrame signedIn={false} current="errors">
      <DocsArticle slug="errors" title="Errors" summary="What each code means." headings={[]}>
        <PartIndex
          slug="errors"
          groups={[
            {
              id: "calls",
              title: "Calls",
              parts: [{ ...PART, entries: CODES.map((id) => ({ id, text: id })) }],
            },
          ]}
        />
        <PartIndex
          slug="api"
          groups={[
            {
              id: "publish",
              title: "Publish",
              description: "For the command line and CI.",
              parts: [
                {
                  ...PART,
                  entries: [
                    {
                      ...{ id: "readACall", text: "Read a call", method: "GET" },
                      path: "/publish/v1/apps/{organization}/{app}/calls/{callId}",
                    },
                    { id: "replayDeliveries", text: "Replay deliveries", method: "POST", path: "/replays" },
                  ],
                },
                { slug: "logs", title: "Logs", entries: [] },
              ],
            },
          ]}
        />
      </DocsArticle>
    </DocsFrame>,
  );
  const entry = page.getByRole("link", { name: "APP_TIMED_OUT" });
  await expect.element(entry).toHaveAttribute("href", "/docs/errors/calls#APP_TIMED_OUT");
  expect(document.getElementById("APP_TIMED_OUT")?.contains(entry.element())).toBe(true);
  await expect
    .element(page.getByRole("link", { name: "Read a call" }))
    .toHaveAttribute("href", "/docs/api/calls#readACall");
  await checkAppearance("docs, a page with parts");
});

test("the navigation marks the part that is open", async () => {
  await renderPage(
    <DocsFrame signedIn={false} current="errors" part="calls">
      <DocsArticle slug="errors" part="calls" title="Calls" summary="What each code means." headings={[]}>
        <p>APP_FAILED</p>
      </DocsArticle>
    </DocsFrame>,
  );
  const navigation = page.getByRole("navigation", { name: "Documentation" });
  await expect
    .element(navigation.getByRole("link", { name: "Calls" }).last())
    .toHaveAttribute("aria-current", "page");
  await checkAppearance("docs, a part");
});

test("the home page leads to each section", async () => {
  await renderPage(<DocsHome />);
  await expect.element(page.getByRole("link", { name: "Get started" }).first()).toBeVisible();
  await checkAppearance("docs, home");
});

const SECTIONS = [
  {
    path: "/docs/errors/calls#APP_FAILED",
    page: "Errors",
    heading: "APP_FAILED",
    text: "The app returned an error.",
  },
  { path: "/docs/webhooks", page: "Webhooks", heading: "", text: "The platform signs each webhook." },
  { path: "/docs/webhooks#verify", page: "Webhooks", heading: "Verify", text: "Verify a webhook first." },
  ...Array.from({ length: 9 }, (_, at) => ({
    path: `/docs/operating#replay-${at}`,
    page: "Operate your app",
    heading: `Replay ${at}`,
    text: "Sends a delivery again.",
  })),
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

// Guarantee: nothing is cut silently.
test("a search with many results says that they are the best ones", async () => {
  const sections = Array.from({ length: 12 }, (_, at) => ({
    path: `/docs/webhooks#part-${at}`,
    page: "Webhooks",
    heading: `Webhook ${at}`,
    text: "The platform signs each webhook.",
  }));
  const hits = sections.map((section) => ({ ...section, excerpt: [{ text: section.text, isMatch: false }] }));
  await renderPage(<SearchPage query="webhook" hits={hits} isCut />);
  await expect
    .element(page.getByText("The 12 best results for “webhook”. Add a word to find others."))
    .toBeVisible();
});

test("the dialog leads to all results if it has only the best", async () => {
  const close = vi.fn();
  await renderPage(<SearchDialog close={close} />, { answers: { "GET /docs/search.json": SECTIONS } });
  await page.getByRole("combobox", { name: "Search the docs" }).fill("replay");
  await expect.element(page.getByRole("option")).toHaveLength(8);
  const all = page.getByRole("link", { name: "All results" });
  await expect.element(all).toHaveAttribute("href", "/docs/search?q=replay");
  await checkAppearance("docs, search dialog, many results");
});

test("a search without results suggests others", async () => {
  await renderPage(<SearchPage query="zebra" hits={[]} />);
  await expect.element(page.getByText("No results for “zebra”")).toBeVisible();
  await checkAppearance("docs, no results");
});
