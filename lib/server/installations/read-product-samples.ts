import * as z from "zod";
import type { ProductSample } from "@/lib/contract/console";
import type { Member } from "@/lib/domain/actor";
import { createSample } from "@/lib/domain/mapping/create-sample";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { requireInstallation } from "./queries";

/** Data of the products of an installation's tenant, to try calls with. Throws NOT_FOUND. */
export async function readProductSamples(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<{ products: ProductSample[] }> {
  const { tenantId } = await requireInstallation(platform.db, member.organization.id, installationId);
  const products = await selectProducts(platform.db, [tenantId]);
  return {
    products: products.map(({ name, schema, sample }) => ({
      name,
      data: z.json().parse(createSample(schema, sample ?? undefined)),
      given: sample !== null,
    })),
  };
}
