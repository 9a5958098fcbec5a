import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { IsolationPlace, IsolationView } from "@/lib/contract/runtime/isolation";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { CheckButton } from "./check-isolation-button";
import { IsolationReport } from "./isolation-report";

const closed = (name: string, ...addresses: string[]): IsolationPlace => ({
  ...{ name, expected: "closed", commands: [] },
  tried: addresses.map((address) => ({ address, seen: "refused" })),
});
const state: IsolationPlace = {
  ...{ name: "the state API", expected: "reachable", commands: [] },
  tried: [{ address: "172.17.0.1:4001", seen: "answered" }],
};
const RULE = "sudo iptables -I INPUT -s 10.213.0.0/16 -p tcp -m conntrack --ctstate NEW -m multiport";
const open = (name: string, command: string, ...addresses: string[]): IsolationPlace => ({
  ...{ name, expected: "closed", commands: [command] },
  tried: addresses.map((address) => ({ address, seen: "answered" })),
});
const view = (more: Partial<IsolationView>): IsolationView => ({
  ...{ state: "checked", checkedAt: new Date().toISOString(), durationMs: 1_900, problem: null, places: [] },
  egress: null,
  ...more,
});
const good = [state, closed("the database", "172.17.0.1:5432"), closed("other apps", "10.213.0.18:8080")];

test("everything is as it should be", async () => {
  await renderPage(<IsolationReport isolation={view({ places: good, egress: { way: "guard" } })} />);
  await expect.element(page.getByRole("status").getByText("All places are as expected")).toBeVisible();
  await expect
    .element(page.getByText("The egress guard limits apps to the hosts that they declare"))
    .toBeVisible();
  await expect.element(page.getByRole("cell", { name: "The state API" })).toBeVisible();
  expect(page.getByText("Close the open places").query()).toBeNull();
  await checkAppearance("isolation, as expected");
});

test("what is open is named, with the commands that close it", async () => {
  const places = [
    ...good,
    open("the web pages", `${RULE} ! --dports 53,4001 -j REJECT`, "192.0.2.2:3000"),
    open(
      "other programs on this machine",
      `${RULE} ! --dports 53,4001 -j REJECT`,
      ...[22, 111, 631, 9100].map((port) => `192.0.2.2:${port}`),
    ),
    open(
      "link-local and metadata addresses",
      "sudo iptables -t mangle -I FORWARD -d 169.254.0.0/16 -j DROP",
      "169.254.169.254:80",
    ),
  ];
  await renderPage(<IsolationReport isolation={view({ places })} />);
  const notice = page.getByRole("alert");
  await expect.element(notice.getByText("Apps can reach 3 places that should be closed")).toBeVisible();
  await expect
    .element(page.getByText("Closes the web pages and other programs on this machine", { exact: true }))
    .toBeVisible();
  await expect.element(page.getByText("and 1 more")).toBeVisible();
  await checkAppearance("isolation, open places");
});

test("an engine that the egress guard can't use is said, with the reason", async () => {
  const why = "The container engine is Podman. The egress guard needs Docker.";
  await renderPage(<IsolationReport isolation={view({ places: good, egress: { way: "open", why } })} />);
  const notice = page.getByRole("alert");
  await expect.element(notice.getByText("Nothing limits apps to the hosts that they declare")).toBeVisible();
  await expect.element(notice.getByText(why)).toBeVisible();
  await checkAppearance("isolation, no egress guard");
});

test("apps that can't reach the state API", async () => {
  const places = [{ ...state, tried: [{ address: "172.17.0.1:4001", seen: "timed out" as const }] }];
  await renderPage(<IsolationReport isolation={view({ places })} />);
  await expect.element(page.getByRole("alert").getByText("Apps can't reach the state API")).toBeVisible();
  await checkAppearance("isolation, no state API");
});

test("containers without a way out, with the engine's setting and the rules that are missing", async () => {
  const servers: IsolationPlace = {
    ...{
      name: "name servers outside",
      expected: "reachable",
      commands: ["sudo iptables -t nat -I POSTROUTING"],
    },
    tried: [{ address: "192.0.2.53:53", seen: "timed out" }],
    fix: "Docker writes no firewall rules on this machine. Turn them on, or run the commands.",
  };
  await renderPage(
    <IsolationReport isolation={view({ places: [...good, servers], egress: { way: "guard" } })} />,
  );
  const notice = page.getByRole("alert");
  await expect.element(notice.getByText("Apps can't reach name servers outside")).toBeVisible();
  await expect.element(notice.getByText(/Docker writes no firewall rules/)).toBeVisible();
  await expect.element(page.getByText("Lets apps reach name servers outside")).toBeVisible();
  await checkAppearance("isolation, no way out");
});

test.each([
  ["nothing checked", view({ state: "never checked", checkedAt: null }), "Nothing has been checked yet"],
  ["first check", view({ state: "checking", checkedAt: null }), "The check is running"],
  [
    "failed",
    view({
      state: "failed",
      problem: "Apps run as plain processes without isolation.",
      egress: { way: "none", why: "Apps run as plain processes without isolation." },
    }),
    "What apps can reach is unknown",
  ],
])("isolation: %s", async (name, isolation, text) => {
  await renderPage(<IsolationReport isolation={isolation} />);
  await expect.element(page.getByText(text)).toBeVisible();
  await checkAppearance(`isolation, ${name}`);
});

test("a check too soon after the last says so", async () => {
  const problem = {
    code: "TOO_MANY_REQUESTS",
    title: "Too many requests",
    status: 429,
    detail: "Wait a minute.",
  };
  await renderPage(<CheckButton isChecking={false} />, {
    answers: { "POST /api/moderation/isolation": Response.json(problem, { status: 429 }) },
  });
  await page.getByRole("button", { name: "Check again" }).click();
  await expect.element(page.getByText("Wait a minute.")).toBeVisible();
});
