"use client";

import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { ChangedProductsNotice } from "../changed-products-notice";
import { ConfigurationCard } from "./configuration-card";
import { useInstallation } from "../use-installation";

export function ConfigurationTab() {
  const { installation, operable } = useInstallation();
  if (installation.state === "UNINSTALLED")
    return (
      <Notice
        title="The configuration was deleted"
        actions={
          <LinkButton size="small" href={`/installations/${installation.id}/history`}>
            History
          </LinkButton>
        }
      >
        The app was uninstalled, and its settings and secrets were deleted. The history shows who saved what,
        and when.
      </Notice>
    );
  return (
    <>
      <ChangedProductsNotice installation={installation} operable={operable} />
      <ConfigurationCard installation={installation} operable={operable} />
      {!operable && (
        <p className="text-[13px] text-ink-faint">
          Only operators and owners of your organization can change the configuration.
        </p>
      )}
    </>
  );
}
