import { expect, test } from "vitest";
import { givenInstalledApp, givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { findAnything } from "./find-anything";

const platform = await testPlatform();
const titles = async (...asked: Parameters<typeof findAnything>) =>
  (await findAnything(...asked)).groups.map(({ title }) => title);

// Guarantee: the palette finds what its user may open, and nothing of another organization.
test("each person finds what belongs to their organization", async () => {
  const { customer, publisher, installation, tenant } = await givenInstalledApp(platform);
  const stranger = await givenMember(platform, "alpine");
  const { groups } = await findAnything(platform, customer, "vin");
  expect(groups[0]).toEqual({
    title: "Installations",
    entries: [{ href: `/installations/${installation.id}`, text: "VIN lookup", detail: "Production" }],
  });
  expect(groups.map(({ title }) => title)).toEqual(["Installations", "Apps", "Documentation"]);
  expect(await titles(platform, publisher, "vin")).toEqual(["Your listings", "Apps", "Documentation"]);
  expect(await titles(platform, stranger, "vin")).toEqual(["Apps", "Documentation"]);
  expect(await titles(platform, customer, "production")).toContain("Tenants");
  expect(await titles(platform, customer, installation.id)).toEqual(["By ID"]);
  expect(await titles(platform, customer, tenant.id)).toEqual(["By ID"]);
  expect(await titles(platform, stranger, installation.id)).toEqual([]);
});

// Guarantee: nothing is cut silently.
test("of many results of a kind, the last entry leads to all of them", async () => {
  const publisher = await givenMember(platform, "acme", "publisher");
  for (let at = 0; at < 6; at += 1) await givenListing(platform, publisher, { appName: `many-${at}` });
  const { groups } = await findAnything(platform, publisher, "many-");
  const own = groups.find(({ title }) => title === "Your listings");
  expect(own?.entries).toHaveLength(6);
  expect(own?.entries.at(-1)).toEqual({
    href: "/publish?q=many-",
    text: "All results",
    detail: "Your listings",
  });
});

test("operators find no listings of their own", async () => {
  await givenInstalledApp(platform);
  const operator = await givenMember(platform, "acme", "operator");
  expect(await titles(platform, operator, "vin")).not.toContain("Your listings");
});

test("a call is found by its ID", async () => {
  const { customer, installation, route } = await givenInstalledApp(platform);
  const id = "019f0000-0000-7000-8000-000000000001";
  await platform.pool.query(
    `insert into attempts (id, organization_id, installation_id, route_id, kind, target)
     values ($1, $2, $3, $4, 'autofill', 'POST /autofill')`,
    [id, customer.organization.id, installation.id, route("autofill").id],
  );
  expect(await findAnything(platform, customer, ` ${id} `)).toEqual({
    groups: [
      {
        title: "By ID",
        entries: [{ href: `/calls/${id}`, text: "Call POST /autofill of VIN lookup", detail: id }],
      },
    ],
  });
});

test.each(["", "v", "   ", "%", "\0", "'; drop table calls"])("nothing bad comes of %j", async (typed) => {
  const { customer } = await givenInstalledApp(platform);
  expect(await titles(platform, customer, typed)).not.toContain("Installations");
});
