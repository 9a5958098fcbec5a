import { LockKeyhole } from "lucide-react";
import { UserText } from "@/components/ui/user-text";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { InstallationView } from "@/lib/contract/installation-view";
import { FactList } from "../fact-list";
import { LongText } from "../fact-list";
import { ProductMappings, Skipped } from "../product-mappings";

type Configuration = InstallationView["configuration"];

interface ConfigurationCardProps {
  installation: InstallationView;
  /** Whether the user may change it. */
  operable: boolean;
}

/** The configuration without its secrets: those only show whether they are set. */
export function ConfigurationCard({ installation, operable }: ConfigurationCardProps) {
  const { settings, mappings, mappingFields, revision, savedAt, savedBy } = installation.configuration;
  const configurable = operable && installation.state !== "UNINSTALLING";
  return (
    <Card
      title="Configuration"
      description={
        <>
          Revision {revision}, saved <RelativeTime at={savedAt} /> by {savedBy}
        </>
      }
      actions={
        <>
          {configurable && (
            <LinkButton size="small" href={`/installations/${installation.id}/configure`}>
              Configure
            </LinkButton>
          )}
          <LinkButton size="small" href={`/installations/${installation.id}/history`}>
            History
          </LinkButton>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {settings.length === 0 && mappingFields.length === 0 && (
          <p className="text-ink-soft">This app has no settings.</p>
        )}
        {settings.length > 0 && (
          <FactList
            rows={settings.map((setting) => ({
              key: setting.name,
              name: <UserText>{setting.title}</UserText>,
              value: <SettingValue setting={setting} />,
            }))}
          />
        )}
        {mappingFields.length > 0 && <ProductMappings mappings={mappings} mappingFields={mappingFields} />}
      </div>
    </Card>
  );
}

function SettingValue({ setting }: { setting: Configuration["settings"][number] }) {
  if (!setting.configured) return <Skipped />;
  if (!setting.sensitive)
    return setting.shown === "" ? (
      <span className="text-ink-faint">Empty</span>
    ) : (
      <LongText label={setting.title}>{setting.shown ?? ""}</LongText>
    );
  return (
    <span>
      <LockKeyhole aria-hidden className="-mt-0.5 mr-1.5 inline size-3.5 text-ink-faint" />
      Set and hidden
      {setting.updatedAt !== undefined && (
        <span className="block text-[13px] text-ink-faint">
          <RelativeTime at={setting.updatedAt} />
          {setting.by !== undefined && ` by ${setting.by}`}
        </span>
      )}
    </span>
  );
}
