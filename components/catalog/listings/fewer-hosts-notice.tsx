import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { FEWER_HOSTS, type FewerHosts } from "@/lib/domain/catalog/fewer-hosts";

const SHOWN = 5;

/** Proposes a manifest with fewer hosts, which one click opens in the editor. */
export function FewerHostsNotice({
  appName,
  proposal: { declared, used, unused },
}: {
  appName: string;
  proposal: FewerHosts;
}) {
  const more = unused.length - SHOWN;
  return (
    <Notice
      title={`Declared ${declared}, used ${used} in 90 days`}
      actions={
        <LinkButton size="small" href={`/publish/${appName}/manifest?propose=${FEWER_HOSTS}`}>
          Open a smaller manifest in the editor
        </LinkButton>
      }
    >
      The app was seen with none of these hosts on at least 14 days:{" "}
      <span translate="no" className="font-mono text-small wrap-anywhere">
        {unused.slice(0, SHOWN).join(", ")}
      </span>
      {more > 0 && ` and ${more} more`}. Customers agree more easily to an app that asks for less.
    </Notice>
  );
}
