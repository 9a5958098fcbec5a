/** Pages with many rows: each has a link, and a visitor follows few of them. */
import { expect, open, signInAs, test } from "./fixtures";
import { queryDatabase, type RunningPlatform } from "./start-platform";

const ROWS = 40;
const HARBOR = "harbor@demo.example";

async function giveNotifications(platform: RunningPlatform): Promise<void> {
  await queryDatabase(
    platform,
    `insert into notifications (id, user_id, kind, subject, title, body, href)
     select gen_random_uuid(), u.id, 'installation-error', 'row:' || n, 'App ' || n || ' stopped working', 'It exited.', '/installations?q=' || n
       from users u, generate_series(1, $2::int) n where u.email = $1
     on conflict do nothing`,
    [HARBOR, ROWS],
  );
}

/** Of one app, each for a tenant of its own. They are stopped, so that nothing is started, and older than the demo's, which others look for. */
async function giveInstallations(platform: RunningPlatform): Promise<void> {
  await queryDatabase(
    platform,
    `with given as (
       select i.* from installations i join organizations o on o.id = i.organization_id
        where o.slug = 'harbor-mutual' order by i.id limit 1),
     added as (
       insert into tenants (id, organization_id, name, host_name, core_api_url)
       select gen_random_uuid(), organization_id, 'Branch ' || n, 'branch-' || n || '.harbor.example', 'https://core.example/' || n
         from given, generate_series(1, $1::int) n
       on conflict do nothing returning id),
     launched as (
       insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, organization_id, added.id, listing_id, version_id,
              'STOPPED', created_by from given, added
       returning id, version_id, created_by)
     insert into configurations (id, installation_id, revision, version_id, settings, mappings, created_by)
     select gen_random_uuid(), id, 1, version_id, '{}', '[]', created_by from launched`,
    [ROWS],
  );
}

/** Other specs look for the demo's rows on the first page. */
async function removeRows(platform: RunningPlatform): Promise<void> {
  await queryDatabase(platform, "delete from notifications where subject like 'row:%'");
  await queryDatabase(
    platform,
    `with gone as (
       select i.id from installations i join tenants t on t.id = i.tenant_id where t.host_name like 'branch-%.harbor.example')
     delete from configurations where installation_id in (select id from gone)`,
  );
  await queryDatabase(
    platform,
    `delete from installations i using tenants t where t.id = i.tenant_id and t.host_name like 'branch-%.harbor.example'`,
  );
  await queryDatabase(platform, "delete from tenants where host_name like 'branch-%.harbor.example'");
}

// Guarantee: a page with many rows asks for none of the pages behind them until somebody follows a link.
test.afterEach(({ platform }) => removeRows(platform));

test("opening a page with many rows prefetches nothing", async ({ page, platform }) => {
  await giveNotifications(platform);
  await giveInstallations(platform);
  await signInAs(page, platform.webUrl, HARBOR);
  const prefetched: string[] = [];
  page.on("request", (request) => {
    const isPrefetch = request.headers()["next-router-prefetch"] !== undefined;
    if (isPrefetch || new URL(request.url()).searchParams.has("_rsc")) prefetched.push(request.url());
  });
  for (const [path, list] of [
    ["/notifications", "Notifications"],
    ["/installations", "Installations"],
  ] as const) {
    await open(page, platform.webUrl + path);
    const rows = page.getByRole("main").getByRole("link");
    expect(await rows.count(), list).toBeGreaterThan(20);
    // Links are prefetched when they come into view, or when the pointer is over them.
    await page.getByRole("main").getByRole("link").last().scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
    expect(prefetched, list).toEqual([]);
  }
});
