import { LockKeyhole } from "lucide-react";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import type { InstallationView } from "@/lib/contract/installation-view";
import { FactList } from "./fact-list";

type Configuration = InstallationView["configuration"];

/** The configuration as it can be read back: of a secret only that it is there. */
export function ConfigurationCard({ configuration, gone }: { configuration: Configuration; gone: boolean }) {
  const { settings, mappings, mappingFields, revision, savedAt, savedBy } = configuration;
  return (
    <Card
      title="Configuration"
      description={
        <>
          Revision {revision}, saved <RelativeTime at={savedAt} /> by {savedBy}
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {settings.length === 0 && mappingFields.length === 0 && (
          <p className="text-ink-soft">This app asks for nothing.</p>
        )}
        {settings.length > 0 && (
          <FactList
            rows={settings.map((setting) => ({
              name: setting.title,
              value: <SettingValue setting={setting} gone={gone} />,
            }))}
          />
        )}
        {mappingFields.length > 0 &&
          mappings.map(({ productName, fields }) => (
            <section key={productName}>
              <h3 className="mb-3 text-[13px] font-medium text-ink">{productName}</h3>
              <FactList
                rows={mappingFields.map(({ name, title }) => ({
                  name: title,
                  value:
                    fields[name] === undefined ? (
                      <Skipped />
                    ) : (
                      <span className="font-mono text-[13px] break-all">{fields[name]}</span>
                    ),
                }))}
              />
            </section>
          ))}
      </div>
    </Card>
  );
}

function SettingValue({ setting, gone }: { setting: Configuration["settings"][number]; gone: boolean }) {
  if (!setting.configured)
    return gone && setting.sensitive ? <span className="text-ink-faint">Removed</span> : <Skipped />;
  if (!setting.sensitive)
    return setting.shown === "" ? <span className="text-ink-faint">Empty</span> : setting.shown;
  return (
    <span>
      <LockKeyhole aria-hidden className="-mt-0.5 mr-1.5 inline size-3.5 text-ink-faint" />
      Set, and hidden
      {setting.updatedAt !== undefined && (
        <span className="block text-[13px] text-ink-faint">
          <RelativeTime at={setting.updatedAt} />
          {setting.by !== undefined && ` by ${setting.by}`}
        </span>
      )}
    </span>
  );
}

function Skipped() {
  return <span className="text-ink-faint">Skipped</span>;
}
