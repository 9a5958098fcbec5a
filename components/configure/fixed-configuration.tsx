import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { Setting } from "@/lib/contract/manifest";
import { shownText } from "./both-sides";
import { settingsOf, storedPath, type ViewedSetting } from "./configuration-edit";

interface FixedConfigurationProps {
  configuration: ConfigurationView;
  why: { title: string; text: string };
  /** What the customer entered is gone: nothing can be said of it. */
  isRemoved: boolean;
}

/** The configuration for those who may only look, and why. */
export function FixedConfiguration({ configuration, why, isRemoved }: FixedConfigurationProps) {
  const { mappingFields, mappings, products } = configuration;
  return (
    <div className="flex max-w-3xl flex-col gap-6 wrap-anywhere">
      <Notice title={why.title}>{why.text}</Notice>
      {configuration.declared.length > 0 && (
        <Facts
          title="Settings"
          rows={settingsOf(configuration).map(({ setting, view }) => ({
            name: setting.name,
            title: setting.title,
            value: isRemoved ? <Removed /> : <SettingText setting={setting} view={view} />,
          }))}
        />
      )}
      {mappingFields.length > 0 &&
        products.map((product) => (
          <Facts
            key={product.name}
            title={product.name}
            rows={mappingFields.map(({ name, title }) => {
              const path = storedPath(mappings, product.name, name);
              const value = path === "" ? <Skipped /> : <code className="font-mono break-all">{path}</code>;
              return { name, title, value };
            })}
          />
        ))}
    </div>
  );
}

function SettingText({ setting, view }: { setting: Setting; view: ViewedSetting }) {
  if (!view.sensitive) {
    const text = shownText(setting, view.value);
    if (text === undefined) return <Skipped />;
    return text === "" ? <span className="text-ink-faint">Empty</span> : text;
  }
  if (!view.configured) return <Skipped />;
  return (
    <>
      <LockKeyhole aria-hidden className="-mt-0.5 mr-1.5 inline size-3.5 text-ink-faint" />
      Set
      {view.updatedAt !== undefined && (
        <>
          {" "}
          <RelativeTime at={view.updatedAt} />
        </>
      )}
      {view.by !== undefined && ` by ${view.by}`}; hidden
    </>
  );
}

function Removed() {
  return <span className="text-ink-faint">Removed</span>;
}

function Skipped() {
  return <span className="text-ink-faint">Skipped</span>;
}

function Facts({
  title,
  rows,
}: {
  title: string;
  rows: { name: string; title: string; value: ReactNode }[];
}) {
  return (
    <Card flush title={title}>
      <dl className="divide-y divide-line border-t border-line">
        {rows.map((row) => (
          <div
            key={row.name}
            className="grid gap-x-4 gap-y-0.5 px-4 py-3 text-[13px] leading-5 sm:grid-cols-[12rem_minmax(0,1fr)] sm:px-6"
          >
            <dt className="min-w-0 break-words text-ink-faint">{row.title}</dt>
            <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink">{row.value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
