import { Globe, Server, ShieldCheck, ShieldQuestion } from "lucide-react";
import { UserText } from "@/components/ui/values";
import type { Enforcement, RightsView } from "@/lib/contract/catalog/rights";
import { ANY_PERMISSION, sayHost } from "@/lib/domain/catalog/rights";

interface RightsListProps {
  rights: RightsView;
  /** Says, too, what it may not. */
  isWhole?: boolean;
  enforcement?: Enforcement;
}

/** What an app may do and where it may send data, each with its purpose, and whether anything keeps it to that. */
export function RightsList({ enforcement = null, ...shown }: RightsListProps) {
  if (enforcement === null) return <Rights {...shown} />;
  return (
    <div className="flex flex-col gap-2">
      <Rights {...shown} />
      <p className="text-small leading-5 text-ink-soft">
        {(shown.rights.hosts === null ? OF_ANY_HOST : OF_LISTED_HOSTS)[enforcement]}
      </p>
    </div>
  );
}

/** The same, as a part of a step that asks something. */
export function AppRights({ rights, enforcement }: Pick<RightsListProps, "rights" | "enforcement">) {
  return (
    <section aria-labelledby="app-rights" className="flex flex-col gap-2">
      <h3 id="app-rights" className="text-small font-medium text-ink">
        What this app may do
      </h3>
      <RightsList rights={rights} enforcement={enforcement} />
    </section>
  );
}

const OF_ANY_HOST = {
  guard: "The platform blocks private networks, and all ports except 80 and 443.",
  open: "This platform doesn't limit where the app connects to.",
  none: "The platform runs apps without isolation: nothing limits where they connect to.",
} as const;

const OF_LISTED_HOSTS = {
  guard: "The platform blocks connections to all other hosts.",
  open: "This platform doesn't block other hosts. The app can connect to them, too.",
  none: "Nothing enforces this list: the platform runs apps without isolation, and they can connect to any host.",
} as const;

const NOTE_OF_OPTIONAL =
  "The app works without it. After the launch, an owner can refuse it for your organization.";

function Rights({ rights, isWhole = true }: Omit<RightsListProps, "enforcement">) {
  const { permissions, hosts } = rights;
  return (
    <ul className="divide-y divide-line rounded-field border border-line">
      {permissions?.map(({ name, purpose }) => (
        <Right key={name} icon={<ShieldCheck aria-hidden className="size-4" />} purpose={purpose}>
          Use{" "}
          <code translate="no" className="font-mono text-small wrap-anywhere">
            {name}
          </code>{" "}
          in your core
        </Right>
      ))}
      {permissions === null && (
        <Right
          icon={<ShieldQuestion aria-hidden className="size-4 text-warning" />}
          purpose="The publisher doesn't say which permissions the app needs."
        >
          Use {ANY_PERMISSION}
        </Right>
      )}
      {isWhole && permissions?.length === 0 && (
        <Right icon={<ShieldCheck aria-hidden className="size-4" />}>
          It asks for no permissions in your core.
        </Right>
      )}
      {(hosts ?? []).map((host, index) => (
        <Right
          key={index}
          icon={<Server aria-hidden className="size-4" />}
          purpose={host.purpose}
          note={host.optional ? NOTE_OF_OPTIONAL : undefined}
        >
          Connect to{" "}
          <bdi translate="no" className="wrap-anywhere">
            {sayHost(host)}
          </bdi>
        </Right>
      ))}
      {hosts === null && (
        <Right
          icon={<Globe aria-hidden className="size-4 text-warning" />}
          purpose="The publisher doesn't say which hosts the app needs."
        >
          Connect to any host on the internet
        </Right>
      )}
      {isWhole && hosts?.length === 0 && (
        <Right icon={<Server aria-hidden className="size-4" />}>
          It connects to no host except your core.
        </Right>
      )}
    </ul>
  );
}

interface RightProps {
  icon: React.ReactNode;
  children: React.ReactNode;
  purpose?: string;
  note?: string;
}

function Right({ icon, children, purpose, note }: RightProps) {
  return (
    <li className="flex gap-3 px-4 py-2">
      <span className="flex h-6 shrink-0 items-center text-ink-soft">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="text-sm leading-6 break-words text-ink">{children}</p>
        {purpose !== undefined && (
          <p className="text-small leading-5 break-words text-ink-soft">
            <UserText>{purpose}</UserText>
          </p>
        )}
        {note !== undefined && <p className="text-small leading-5 text-ink-faint">{note}</p>}
      </div>
    </li>
  );
}
