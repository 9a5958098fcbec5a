import { Checkbox } from "@/components/ui/forms/toggles";
import type { PublicEndpoint } from "@/lib/contract/catalog/manifest";

interface PublicEndpointsProps {
  endpoints: readonly PublicEndpoint[];
  opens: boolean;
  onChange: (opens: boolean) => void;
}

/** The endpoints that a version would open to everyone, and the customer's answer. */
export function PublicEndpoints({ endpoints, opens, onChange }: PublicEndpointsProps) {
  return (
    <div className="flex flex-col gap-4">
      <ul className="divide-y divide-line rounded-field border border-line">
        {endpoints.map(({ path, methods, title }) => (
          <li key={path} className="flex flex-col gap-x-6 gap-y-0.5 px-4 py-2 sm:flex-row">
            <bdi className="min-w-0 text-sm leading-6 break-words text-ink sm:flex-1">{title}</bdi>
            <code
              translate="no"
              className="min-w-0 font-mono text-small leading-6 wrap-anywhere text-ink-soft"
            >
              {methods.join(", ")} {path}
            </code>
          </li>
        ))}
      </ul>
      <Checkbox name="openEndpoints" value={opens} onChange={onChange}>
        Open {endpoints.length === 1 ? "this endpoint" : "these endpoints"} to everyone who knows the URL
      </Checkbox>
      <p className="text-small leading-5 text-ink-faint">
        Requests reach the app without any credential. You can open and close each endpoint, and replace the
        URL, on the installation&apos;s page at any time.
      </p>
    </div>
  );
}
