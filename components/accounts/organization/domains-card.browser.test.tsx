import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { DomainView } from "@/lib/contract/accounts/domain";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { DomainsCard } from "./domains-card";

const AT = "2026-11-20T10:00:00.000Z";
const domain = (changed: Partial<DomainView>): DomainView => ({
  id: changed.domain ?? "1",
  domain: "acme.example",
  state: "WAITING",
  proof: "platform-verify=0123456789abcdef0123456789abcdef",
  record: "_platform-verify.acme.example",
  file: "https://acme.example/.well-known/platform-domain.txt",
  provenBy: null,
  problem: "",
  checkedAt: null,
  lostAt: null,
  ...changed,
});
const ALL = [
  domain({
    domain: "acme.example",
    problem: "_platform-verify.acme.example has no TXT record.",
    checkedAt: AT,
  }),
  domain({ domain: "acme-verified.example", state: "VERIFIED", provenBy: "dns", checkedAt: AT }),
  domain({
    ...{ domain: "acme-failing.example", state: "FAILING", provenBy: "file", checkedAt: AT },
    problem: "https://acme-failing.example/.well-known/platform-domain.txt returned 404.",
    lostAt: "2026-12-04T10:00:00.000Z",
  }),
  domain({ domain: `acme-${"lost-".repeat(10)}x.example`, state: "LOST", checkedAt: AT }),
];

test("domains in each state, with how to prove those that are not", async () => {
  await renderPage(<DomainsCard domains={ALL} mayChange />, {
    answers: {
      "POST /api/organization/domains/acme.example/check": { state: "WAITING", problem: "" },
      "POST /api/organization/domains": Response.json(
        {
          code: "BAD_INPUT",
          detail: "No.",
          issues: [{ code: "custom", pointer: "/domain", message: "co.uk is shared by many organizations." }],
        },
        { status: 400 },
      ),
    },
  });
  await expect.element(page.getByText("Proven by its TXT record")).toBeVisible();
  await expect.element(page.getByText(/Listings still show it/)).toBeVisible();
  await checkAppearance("domains");
  await page.getByRole("button", { name: "Check acme.example now" }).click();
  await expect
    .poll(() => vi.mocked(fetch).mock.calls.map(([url]) => url))
    .toContain("/api/organization/domains/acme.example/check");
  await page.getByRole("textbox", { name: "Domain" }).fill("co.uk");
  await page.getByRole("button", { name: "Add domain" }).click();
  await expect.element(page.getByText("co.uk is shared by many organizations.")).toBeVisible();
  await page.getByRole("button", { name: "Remove acme.example" }).click();
  await expect.element(page.getByRole("alertdialog", { name: "Remove acme.example?" })).toBeVisible();
  await checkAppearance("domains, removal");
});

test("members who are neither owners nor publishers only read them", async () => {
  await renderPage(<DomainsCard domains={ALL.slice(1, 2)} mayChange={false} />);
  await expect.element(page.getByText("acme-verified.example")).toBeVisible();
  expect(page.getByRole("button").elements()).toEqual([]);
  await checkAppearance("domains, read only");
});
