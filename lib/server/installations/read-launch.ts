import type { MappingField, Setting } from "@/lib/contract/manifest";
import { splitAppName } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { listTenants } from "../tenants/list-tenants";
import { isLaunchable } from "./launchable";
import { selectNewestVersion } from "./queries";

/** What the launch page asks: the app's settings and mapping fields, and the tenants that it can be launched for. */
export async function readLaunch(
  platform: Platform,
  member: Member,
  app: { organization: string; app: string },
  test: boolean,
) {
  const known = splitAppName(`${app.organization}/${app.app}`) !== undefined;
  const version = known ? await selectNewestVersion(platform.db, app, !test) : undefined;
  if (version === undefined || !isLaunchable(version, member, test)) throw new Problem("NOT_FOUND");
  const tenants = await listTenants(platform, member);
  const { manifest } = version;
  return {
    versionId: version.versionId,
    number: version.number,
    title: version.title,
    name: `${version.publisherSlug}/${version.appName}`,
    publisherName: version.publisherName,
    settings: manifest.app.fields.map(knownMembers),
    mappingFields: (manifest.core?.fields ?? []).map(({ name, title, hint, required }): MappingField => ({
      name,
      title,
      hint,
      required,
    })),
    tenants: tenants.map(({ id, name, hostName, products }) => ({
      id,
      name,
      hostName,
      products: products.map((product) => ({ name: product.name, paths: product.paths })),
    })),
  };
}

/** Without what the manifest keeps beside them: a page needs no more. */
function knownMembers({ name, title, type, hint, required, sensitive, values }: Setting): Setting {
  return {
    name,
    title,
    type,
    hint,
    required,
    sensitive,
    values: values?.map(({ text, value }) => ({ text, value })),
  };
}
