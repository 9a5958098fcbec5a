"use client";

import { ChevronRight, LockKeyhole } from "lucide-react";
import { Card } from "@/components/ui/card";
import { FactList, LongText } from "@/components/ui/fact-list";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { ChangedProductsNotice } from "./changed-products-notice";
import { useInstallation } from "./use-installation";

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
        <p className="text-small text-ink-faint">
          Only operators and owners of your organization can change the configuration.
        </p>
      )}
    </>
  );
}

type Configuration = InstallationView["configuration"];

interface ConfigurationCardProps {
  installation: InstallationView;
  /** Whether the user may change it. */
  operable: boolean;
}

/** The configuration without its secrets: those only show whether they are set. */
function ConfigurationCard({ installation, operable }: ConfigurationCardProps) {
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
        <span className="block text-small text-ink-faint">
          <RelativeTime at={setting.updatedAt} />
          {setting.by !== undefined && ` by ${setting.by}`}
        </span>
      )}
    </span>
  );
}

type MappedConfiguration = InstallationView["configuration"];
type ProductMapping = MappedConfiguration["mappings"][number];

/** More products than this are collapsed. */
const OPEN = 3;

/** The fields of each product that the app works on. */
function ProductMappings({
  mappings,
  mappingFields,
}: Pick<MappedConfiguration, "mappings" | "mappingFields">) {
  if (mappings.length === 0)
    return <p className="text-ink-soft">The tenant had no products when this was saved.</p>;
  if (mappings.length <= OPEN)
    return mappings.map((mapping) => (
      <section key={mapping.productName}>
        <h3 className="mb-3 text-small font-medium wrap-anywhere text-ink">
          <UserText>{mapping.productName}</UserText>
        </h3>
        <Paths mapping={mapping} mappingFields={mappingFields} />
      </section>
    ));
  return (
    <div className="-mx-2">
      {mappings.map((mapping) => (
        <details key={mapping.productName} className="group">
          <summary className="flex cursor-pointer list-none items-start gap-2 rounded-field px-2 py-2 hover:bg-subtle [&::-webkit-details-marker]:hidden">
            <ChevronRight
              aria-hidden
              className="mt-1 size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
              <UserText className="text-small font-medium wrap-anywhere text-ink">
                {mapping.productName}
              </UserText>
              <span className="text-small text-ink-faint tabular-nums">
                {countMapped(mapping, mappingFields)} of {mappingFields.length} mapped
              </span>
            </span>
          </summary>
          <div className="px-8 pt-1 pb-4">
            <Paths mapping={mapping} mappingFields={mappingFields} />
          </div>
        </details>
      ))}
    </div>
  );
}

interface PathsProps extends Pick<MappedConfiguration, "mappingFields"> {
  mapping: ProductMapping;
}

function Paths({ mapping, mappingFields }: PathsProps) {
  const paths = new Map(Object.entries(mapping.fields));
  return (
    <FactList
      rows={mappingFields.map(({ name, title }) => ({
        key: name,
        name: <UserText>{title}</UserText>,
        value: <Path path={paths.get(name)} />,
      }))}
    />
  );
}

function Path({ path }: { path: string | undefined }) {
  if (path === undefined) return <Skipped />;
  return (
    <UserText translate="no" className="font-mono text-small wrap-anywhere">
      {path}
    </UserText>
  );
}

function Skipped() {
  return <span className="text-ink-faint">Skipped</span>;
}

function countMapped({ fields }: ProductMapping, declared: MappedConfiguration["mappingFields"]): number {
  return declared.filter(({ name }) => Object.hasOwn(fields, name)).length;
}
