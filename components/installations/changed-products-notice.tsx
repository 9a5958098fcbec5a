import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { InstallationView } from "@/lib/contract/installations/installation-view";

interface ChangedProductsNoticeProps {
  installation: InstallationView;
  /** Whether the user may change the mappings. */
  operable: boolean;
}

/** Shows which products changed since they were mapped, and which mapped paths no longer exist. */
export function ChangedProductsNotice({ installation, operable }: ChangedProductsNoticeProps) {
  const { changedProducts: changed } = installation;
  const [first] = changed;
  if (first === undefined || installation.state === "UNINSTALLED") return null;
  const broken = changed.some((product) => product.missing.length > 0);
  return (
    <Notice
      tone={broken ? "warning" : "info"}
      title={
        changed.length === 1 ? (
          <>
            The core changed <UserText>{first.name}</UserText> since you mapped it
          </>
        ) : (
          `The core changed ${changed.length} products since you mapped them`
        )
      }
      actions={
        operable && (
          <LinkButton size="small" href={`/installations/${installation.id}/configure`}>
            {broken ? "Fix mapping" : "Review mapping"}
          </LinkButton>
        )
      }
    >
      <ul className="flex flex-col gap-1">
        {changed.map((product) => (
          <li key={product.name}>
            {changed.length > 1 && (
              <>
                <UserText className="font-medium text-ink">{product.name}</UserText>
                {": "}
              </>
            )}
            <Missing {...product} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Missing({ missing, changedAt }: InstallationView["changedProducts"][number]) {
  return (
    <>
      {missing.length === 0 ? (
        "All mapped paths still exist."
      ) : (
        <>
          {missing.length === 1 ? "The path of " : "The paths of "}
          {missing.map((title, index) => (
            <span key={index}>
              {index > 0 && (index === missing.length - 1 ? " and " : ", ")}
              <UserText className="font-medium text-ink">{title}</UserText>
            </span>
          ))}
          {missing.length === 1 ? " is no longer in its schema." : " are no longer in its schema."}
        </>
      )}{" "}
      <span className="text-ink-faint">
        Changed <RelativeTime at={changedAt} />.
      </span>
    </>
  );
}
