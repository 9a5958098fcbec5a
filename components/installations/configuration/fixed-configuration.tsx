import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SettingView } from "@/lib/contract/catalog/configuration";
import type { Setting } from "@/lib/contract/catalog/manifest";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { AnswerSheet, UNTOUCHED } from "@/lib/domain/catalog/answer-sheet";
import { choiceText } from "@/lib/domain/catalog/configuration";

interface FixedConfigurationProps {
  configuration: ConfigurationView;
  why: { title: string; text: string };
  /** The customer's answers were deleted with the installation. */
  isRemoved: boolean;
}

/** The configuration, read-only, and the reason. */
export function FixedConfiguration({ configuration, why, isRemoved }: FixedConfigurationProps) {
  const { declared, mappingFields, products } = configuration;
  const sheet = new AnswerSheet(configuration, UNTOUCHED);
  return (
    <div className="flex max-w-3xl flex-col gap-6 wrap-anywhere">
      <Notice title={why.title}>{why.text}</Notice>
      {declared.length > 0 && (
        <Facts
          title="Settings"
          rows={declared.map((setting) => ({
            name: setting.name,
            title: setting.title,
            value: isRemoved ? <Removed /> : <SettingText setting={setting} view={sheet.view(setting)} />,
          }))}
        />
      )}
      {mappingFields.length > 0 &&
        products.map((product) => (
          <Facts
            key={product.name}
            title={product.name}
            rows={mappingFields.map(({ name, title }) => {
              const path = sheet.storedPath(product.name, name);
              const value =
                path === "" ? (
                  <Skipped />
                ) : (
                  <code translate="no" className="font-mono wrap-anywhere">
                    {path}
                  </code>
                );
              return { name, title, value };
            })}
          />
        ))}
    </div>
  );
}

function SettingText({ setting, view }: { setting: Setting; view: SettingView | undefined }) {
  if (view?.sensitive !== true) {
    const text = choiceText(setting, view?.value);
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
            className="grid gap-x-4 gap-y-0.5 px-4 py-3 text-small leading-5 sm:grid-cols-[12rem_minmax(0,1fr)] sm:px-6"
          >
            <dt className="min-w-0 break-words text-ink-faint">{row.title}</dt>
            <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink">{row.value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
