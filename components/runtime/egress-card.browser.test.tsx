import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import {
  type Blindness,
  type EgressReader,
  type HostUse,
  viewEgress,
} from "@/lib/domain/runtime/egress/view-egress";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { EgressCard, FewerHostsNotice } from "./egress-card";

const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const seen = (host: string, changed: Partial<HostUse> = {}): HostUse => ({
  ...{
    host,
    firstUsedAt: at(40 * 24),
    usedAt: at(2),
    connections: 1_204,
    bytesOut: 482_113,
    bytesIn: 9_120_331,
    refused: 0,
    reason: null,
  },
  ...changed,
});
const refused = (
  host: string,
  count: number,
  reason = "is not a host that the app may connect to",
): HostUse =>
  seen(host, {
    firstUsedAt: null,
    usedAt: null,
    connections: 0,
    bytesOut: 0,
    bytesIn: 0,
    refused: count,
    reason,
  });

const manifest: Manifest = {
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: { fields: [{ name: "endpointUrl", title: "Your endpoint", type: "Text" }] },
  core: {
    hosts: [
      { host: "api.vin.example", purpose: "Decodes VINs" },
      { host: "*.maps.example", purpose: "Map tiles", optional: true },
      {
        host: `a-host-whose-name-is-long.${"sub-domain-".repeat(6)}x.example`,
        purpose: "Stores pictures of damages",
      },
      { setting: "endpointUrl", purpose: "The customer's own endpoint" },
    ],
  },
};
const uses = [
  seen("api.vin.example"),
  seen("a.maps.example", { firstUsedAt: at(70 * 24), usedAt: at(30) }),
  seen("b.maps.example"),
  seen("core.harbor.example", { usedAt: at(1) }),
  seen("hooks.alpine.example", { firstUsedAt: at(4), usedAt: at(4) }),
  refused("telemetry.example", 57),
  refused("", 3, "did not say where it leads"),
];

function open(reader: EgressReader, changed: Partial<Parameters<typeof viewEgress>[0]> = {}) {
  const view = viewEgress({
    ...{ reader, manifest, uses, blindness: null, since: "2026-10-02" },
    ...{ cores: ["https://core.harbor.example/v1"] },
    ...changed,
  });
  return renderPage(<EgressCard view={view} />);
}

const rows = (table: string) => page.getByRole("table", { name: table }).getByRole("row");

test("a customer sees what is declared and when it was used, and no other customer", async () => {
  await open("customer", { valuesOf: () => ["https://hooks.harbor.example"] });
  await expect.element(page.getByText("watched since October 2 (UTC).")).toBeVisible();
  await expect.element(page.getByText("One container serves all customers", { exact: false })).toBeVisible();
  const table = rows("Where this app sends data");
  await expect
    .element(table.filter({ hasText: "*.maps.example" }))
    .toHaveTextContent(/2 hours ago\s*First used .*ago/);
  await expect.element(table.filter({ hasText: "hooks.harbor.example" })).toHaveTextContent(/Not used$/);
  await expect.element(page.getByText("hooks.harbor.example")).toBeVisible();
  await expect.element(page.getByText("Your core")).toBeVisible();
  for (const hidden of ["alpine", "telemetry", "a.maps", "482"])
    expect(document.body.textContent).not.toContain(hidden);
  expect(rows("Where this app sends data").elements()).toHaveLength(1 + 5);
  await checkAppearance("egress, customer");
});

test("a publisher sees bytes and refused attempts", async () => {
  await open("publisher");
  await expect.element(page.getByText("telemetry.example")).toBeVisible();
  await expect.element(page.getByText("Cores of customers")).toBeVisible();
  await expect.element(page.getByText("a.maps.example, b.maps.example")).toBeVisible();
  await expect.element(page.getByText("Not declared").first()).toBeVisible();
  await checkAppearance("egress, publisher");
});

// Guarantee: one click leads from what is not used to a manifest without it.
test("a publisher gets a smaller manifest proposed", async () => {
  const unused = Array.from({ length: 7 }, (_, index) => `unused-${index}.example`);
  const view = viewEgress({
    ...{ reader: "publisher", manifest, uses, blindness: null, since: null, cores: [] },
  });
  await renderPage(
    <EgressCard view={{ ...view, since: "2026-10-02" }}>
      <FewerHostsNotice appName="vin-lookup" proposal={{ declared: 9, used: 2, unused }} />
    </EgressCard>,
  );
  await expect.element(page.getByText("Declared 9 hosts, used 2 in 90 days")).toBeVisible();
  await expect.element(page.getByText(/unused-4\.example.* and 2 more\./)).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Remove them in the editor" }))
    .toHaveAttribute("href", "/publish/vin-lookup/manifest?propose=fewer-hosts");
  await checkAppearance("egress, fewer hosts");
});

test("a reviewer sees what was refused first", async () => {
  await open("reviewer", { cores: [] });
  await expect.element(rows("Hosts tried during the checks").nth(1)).toHaveTextContent("telemetry.example");
  await checkAppearance("egress, reviewer");
});

test("many hosts fit", async () => {
  const many = Array.from({ length: 300 }, (_, index) => refused(`n${index}.example`, index));
  await open("publisher", { uses: many });
  await expect.element(page.getByText("279 more hosts are not shown.")).toBeVisible();
  expect(document.querySelectorAll("*").length).toBeLessThan(1_000);
  await checkAppearance("egress, many hosts");
});

test.each<Blindness>(["open", "process", "cluster"])("where nothing is observed: %s", async (blindness) => {
  await open("customer", { blindness, since: null, uses: [] });
  await expect.element(page.getByText(/^This (platform|app) .*(connect|connects) to\.$/)).toBeVisible();
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
  await checkAppearance(`egress, ${blindness}`);
});

// Guarantee: where nothing is watched, the page claims no sight of hosts and no time of use, and still shows what is decided.
test("without a guard, only optional hosts and what was decided about them are shown", async () => {
  const access = new Map([["*.maps.example", "Refused by Olive Harbor"]]);
  for (const reader of ["customer", "publisher"] as const) {
    const view = viewEgress({ reader, manifest, uses, blindness: "open", since: "2026-10-02", cores: [] });
    const { unmount } = await renderPage(
      <EgressCard view={view} access={reader === "customer" ? access : undefined} />,
    );
    await expect.element(page.getByText("neither limits nor observes", { exact: false })).toBeVisible();
    expect(document.body.textContent).not.toMatch(/Not used|Last used|the platform sees|what it did|watched/);
    if (reader === "customer") {
      expect(rows("Where this app sends data").elements()).toHaveLength(1 + 1);
      await expect.element(page.getByText("Refused by Olive Harbor")).toBeVisible();
      await checkAppearance("egress, customer without a guard");
    }
    await unmount();
  }
});

test("a customer finds each host once, with its access", async () => {
  const view = viewEgress({
    ...{ reader: "customer" as const, manifest, uses, blindness: null, since: "2026-10-02", cores: [] },
  });
  await renderPage(<EgressCard view={view} access={new Map([["*.maps.example", "Blocked for the app"]])} />);
  expect(page.getByText("*.maps.example").elements()).toHaveLength(1);
  await expect.element(rows("Where this app sends data").first()).toHaveTextContent("HostAccessLast used");
  await expect.element(page.getByText("Blocked for the app")).toBeVisible();
  await checkAppearance("egress, customer with access");
});

test("an app that was watched and connected to nothing", async () => {
  await open("publisher", { uses: [], manifest: { ...manifest, core: { hosts: [] } } });
  await expect.element(page.getByText(/It didn't connect to any host in this period/)).toBeVisible();
  await checkAppearance("egress, nothing");
});
