import { Notice } from "@/components/ui/notice";
import type { DevCustomer } from "@/cli/dev/contract/customers";
import { useUrl, withParameters } from "../frame/location";
import { PageLink } from "../frame/page-link";

/** On the platform, a customer can't launch an app without its required answers. */
export function MissingAnswers({ customers }: { customers: readonly DevCustomer[] }) {
  const { href } = useUrl();
  const incomplete = customers.filter(({ configured }) => !configured);
  if (incomplete.length === 0) return null;
  return (
    <Notice tone="warning" title="Required answers are missing">
      The app doesn&apos;t receive them. On the platform, customers enter them before any call.
      <ul className="mt-1 list-disc pl-4">
        {incomplete.map(({ id, name, missing }) => (
          <li key={id}>
            <PageLink
              href={withParameters({ area: "customers", customer: id }, href)}
              className="font-medium text-accent-text underline"
            >
              Configure {name}
            </PageLink>
            : {missing.length} missing
          </li>
        ))}
      </ul>
    </Notice>
  );
}
