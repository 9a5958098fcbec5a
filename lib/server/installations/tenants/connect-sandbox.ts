import { request } from "undici";
import { v7 } from "uuid";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { insertCredential } from "../../accounts/credentials/core-credential-queries";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { CORE_DEADLINE_MS } from "../../platform/requests/core-agent";
import { readCoreProducts } from "../../platform/requests/try-core";
import { createCoreCredential } from "./credentials";
import { replaceProducts } from "./product-queries";
import {
  insertTenant,
  lockSandbox,
  moveTenant,
  selectSandbox,
  selectSandboxes,
  selectTenantNames,
} from "./queries";
import { auditTenant, refuseTaken } from "./tenant-rules";

/**
 * The organization's sandbox tenant on the platform's own core, created if there is none. It accepts Test Launches only.
 * Throws UNAVAILABLE if the platform has no such core.
 */
export async function connectSandbox(platform: Platform, member: Member): Promise<{ tenantId: string }> {
  const { id: organizationId, slug: organization } = member.organization;
  const present = await selectSandbox(platform.db, organizationId);
  if (present !== undefined) return { tenantId: present };
  const platformCore = platform.environment.PLATFORM_SANDBOX_CORE_URL;
  if (platformCore === "") {
    throw new Problem(
      "UNAVAILABLE",
      "This platform has no sandbox because PLATFORM_SANDBOX_CORE_URL is not set. Connect a test tenant of your own core instead.",
    );
  }
  const tenantId = v7();
  const hostName = `${organization}.sandbox`;
  const coreApiUrl = launchedCoreUrl(platformCore, hostName);
  await putSandbox(platformCore, hostName, { ...SANDBOX_CONTENT, organization });
  const target = { id: tenantId, organization, hostName, coreApiUrl, sandbox: true, credential: undefined };
  const { listed, test } = await readCoreProducts(platform, target);
  const { coreCredential, coreCredentialHash } = createCoreCredential();
  return platform.db.transaction(async (tx) => {
    await lockSandbox(tx, organizationId);
    const first = await selectSandbox(tx, organizationId);
    if (first !== undefined) return { tenantId: first };
    const name = chooseTenantName(await selectTenantNames(tx, organizationId), "Sandbox");
    const row = { id: tenantId, organizationId, name, hostName, coreApiUrl };
    await insertTenant(tx, { ...row, sandbox: true, connection: test }).catch(refuseTaken(row));
    await insertCredential(tx, tenantId, coreCredentialHash);
    await replaceProducts(tx, tenantId, listed);
    // Only the request that stores the sandbox sends the credential to the core, so that the two always agree.
    await putSandbox(platformCore, hostName, { credential: coreCredential });
    const details = { name, hostName, coreApiUrl, products: test.products };
    await auditTenant(platform, tx, member, { action: "tenant.connect-sandbox", tenantId, details });
    return { tenantId };
  });
}

/** "Sandbox", or the first free "Sandbox 2", "Sandbox 3", … */
export function chooseTenantName(taken: readonly string[], wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

/** Updates every sandbox to the current address of the platform's own core. */
export async function moveSandboxes(platform: Platform, platformCore: string): Promise<void> {
  await moveTenants(platform, await selectSandboxes(platform.db), platformCore);
}

/** For tenants of a core that the launcher runs: its address changes when a container engine appears or disappears. */
export async function moveTenants(
  platform: Platform,
  tenants: readonly { id: string; organizationId: string; hostName: string; coreApiUrl: string }[],
  coreUrl: string,
): Promise<void> {
  for (const { id, organizationId, hostName, coreApiUrl: from } of tenants) {
    const to = launchedCoreUrl(coreUrl, hostName);
    if (to === from) continue;
    await platform.db.transaction(async (tx) => {
      if (!(await moveTenant(tx, id, from, to))) return;
      await recordAudit(tx, platform.keyring, {
        chain: organizationId,
        actor: "operator:launcher",
        action: "tenant.move",
        subject: `tenant:${id}`,
        details: { from, to },
      });
    });
  }
}

/** The address of one tenant on a core that the launcher runs. */
export function launchedCoreUrl(coreUrl: string, hostName: string): string {
  return `${coreUrl}/tenants/${hostName}`;
}

// The contents of a sandbox tenant on the platform's own core, and the call that stores them there.

const text = { type: "string" };

const PRODUCTS = [
  {
    name: "Sample Auto",
    schema: {
      type: "object",
      required: ["vehicle"],
      properties: {
        vehicle: {
          type: "object",
          required: ["vin"],
          properties: {
            vin: { ...text, title: "VIN" },
            make: text,
            modelYear: { type: "integer", title: "Model year" },
            annualKilometres: { type: "integer", title: "Kilometers per year" },
          },
        },
        drivers: {
          type: "array",
          items: {
            type: "object",
            required: ["name"],
            properties: { name: text, birthDate: { ...text, format: "date", title: "Date of birth" } },
          },
        },
      },
    },
    sample: {
      vehicle: { vin: "1HGCM82633A004352", make: "Honda", modelYear: 2003, annualKilometres: 14000 },
      drivers: [{ name: "Sam Sample", birthDate: "1985-04-12" }],
    },
  },
  {
    name: "Sample Home",
    schema: {
      type: "object",
      required: ["building"],
      properties: {
        building: {
          type: "object",
          required: ["address"],
          properties: {
            address: {
              type: "object",
              properties: { street: text, town: text, postalCode: { ...text, title: "Postal code" } },
            },
            yearBuilt: { type: "integer", title: "Built in" },
            floorArea: { type: "number", title: "Floor area in m²" },
          },
        },
        sumInsured: { type: "number", title: "Sum insured" },
      },
    },
    sample: {
      building: {
        address: { street: "1 Sample Street", town: "Exampleton", postalCode: "10001" },
        yearBuilt: 1964,
        floorArea: 118.5,
      },
      sumInsured: 350000,
    },
  },
];

const [auto, home] = PRODUCTS;

/** Fictional data, the same for every organization. */
export const SANDBOX_CONTENT = {
  products: PRODUCTS,
  policies: {
    "POL-1001": { productName: auto?.name, policyHolder: { name: "Sam Sample" }, data: auto?.sample },
    "POL-2001": { productName: home?.name, policyHolder: { name: "Sally Sample" }, data: home?.sample },
  },
};

/** @param platformCore a setting of the platform, never user input */
export function putSandbox(platformCore: string, hostName: string, changes: object): Promise<void> {
  return administer(platformCore, hostName, { method: "PUT", body: JSON.stringify(changes) });
}

/** Removes the tenant from the platform's own core. */
export function removeSandbox(platformCore: string, hostName: string): Promise<void> {
  return administer(platformCore, hostName, { method: "DELETE" });
}

async function administer(
  platformCore: string,
  hostName: string,
  asked: { method: "PUT" | "DELETE"; body?: string },
): Promise<void> {
  const status = await request(`${platformCore}/tenants/${hostName}`, {
    ...asked,
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(CORE_DEADLINE_MS),
  }).then(
    async ({ statusCode, body }) => body.dump().then(() => statusCode),
    () => undefined,
  );
  if (status === 200) return;
  const what = status === undefined ? "did not respond" : `returned ${status}`;
  throw new Problem("CORE_FAILED", `The platform's own core ${what}. Try again in a moment.`);
}
