"use client";

import { Card } from "@/components/ui/card";
import { ShortId } from "@/components/ui/short-id";
import { stateAfter } from "@/lib/domain/installation";
import { HealthNotice } from "../health-notice";
import { FactList } from "../fact-list";
import { WebhookSecretCard } from "./webhook-secret-card";
import { UninstallCard } from "./uninstall-card";
import { useInstallation } from "../use-installation";

/** What identifies the installation to machines and to support, and its removal. */
export function SettingsTab() {
  const { installation, operable } = useInstallation();
  const { id, name, imageDigest, tenant, state } = installation;
  return (
    <>
      <HealthNotice installation={installation} operable={operable} />
      <Card title="Identifiers" description="For the core, the audit log, and support requests.">
        <FactList
          rows={[
            { key: "app", name: "App", value: <ShortId label="app name" value={name} /> },
            { key: "id", name: "Installation", value: <ShortId label="installation ID" value={id} /> },
            { key: "image", name: "Image", value: <ShortId label="image digest" value={imageDigest} /> },
            {
              key: "tenant",
              name: "Tenant",
              value: <ShortId label="tenant host name" value={tenant.hostName} />,
            },
            {
              key: "core",
              name: "Core API",
              value: <ShortId label="core API URL" value={tenant.coreApiUrl} />,
            },
          ]}
        />
      </Card>
      {operable && state !== "UNINSTALLED" && <WebhookSecretCard installationId={id} />}
      {operable && stateAfter(state, "uninstall") !== undefined && (
        <UninstallCard installation={installation} />
      )}
      {!operable && state !== "UNINSTALLED" && (
        <p className="text-[13px] text-ink-faint">
          Only operators and owners of your organization can configure, upgrade, stop, and uninstall it.
        </p>
      )}
    </>
  );
}
