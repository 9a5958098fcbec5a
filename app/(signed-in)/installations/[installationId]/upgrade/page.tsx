import { cache } from "react";
import { whyNotUpgradable } from "@/components/installations/configuration/read-only-reasons";
import { NoUpgrade } from "@/components/installations/launch/no-upgrade";
import { UpgradeForm } from "@/components/installations/launch/upgrade-form";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { nameTest } from "@/lib/domain/calls/installation";
import { readUpgradePage } from "@/lib/server/installations/read-upgrade";
import { page, type PageInput, titled } from "@/lib/server/surface/web/page";

type Input = PageInput<"/installations/[installationId]/upgrade">;

/** Once for the page and its title. */
const read = cache((platform: Input["platform"], member: Input["member"], id: string, to?: string) =>
  readUpgradePage(platform, member, id, to),
);

const readPage = ({ platform, member, params, searchParams }: Input) =>
  read(platform, member, params.installationId ?? "", searchParams.to);

export const generateMetadata = titled(
  "/installations/[installationId]/upgrade",
  "Installations",
  async (input) => `Upgrade · ${(await readPage(input)).installation.title}`,
);

export default page("/installations/[installationId]/upgrade", async (input) => {
  const { member } = input;
  const { installation, offer } = await readPage(input);
  const { id } = installation;
  if (offer === undefined) return <NoUpgrade installation={installation} />;
  const { title, name, tenantName, rollback } = offer;
  const kind = nameTest({ test: offer.test, trial: installation.trialEndsAt !== null });
  return (
    <>
      <PageHeader
        title={`${rollback ? "Roll back" : "Upgrade"} ${title}`}
        description={`${name} for ${tenantName}`}
        badges={kind === undefined ? undefined : <Badge tone="warning">{kind}</Badge>}
        back={{ href: `/installations/${id}`, text: title }}
      />
      {kind === "Test Launch" && (
        <Notice tone="warning" title="This is a Test Launch" className="mb-6 max-w-3xl">
          Only your organization sees this. You can choose any version, verified or not.
        </Notice>
      )}
      <UpgradeForm
        offer={offer}
        isRunning={installation.state === "RUNNING"}
        why={whyNotUpgradable(installation, member.organization.role)}
      />
    </>
  );
});
