import type { Db } from "../database/connect";
import { notify } from "../notifications/notify";
import { selectCustomers } from "./queries";

interface Listing {
  id: string;
  organizationId: string;
  appName: string;
}

/** Notifies the publisher and each customer, with separate texts, of a suspension, its end, or a retirement. */
export async function tellOfListing(
  tx: Db,
  { id, organizationId, appName }: Listing,
  write: (organizationId: string) => { title: string; body: string },
  except?: string,
): Promise<void> {
  const common = { kind: "suspension", subject: `listing:${id}` } as const;
  await notify(tx, {
    ...common,
    ...write(organizationId),
    to: { organizationId, roles: ["owner", "publisher"], except },
    href: `/publish/${appName}`,
  });
  const customers = await selectCustomers(tx, id);
  for (const customer of customers.filter((each) => each !== organizationId).sort())
    await notify(tx, {
      ...common,
      ...write(customer),
      to: { organizationId: customer },
      href: `/installations?${new URLSearchParams({ q: appName })}`,
    });
}
