import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive, listSettings } from "@/lib/contract/platform/manifest-terms";

/** The settings, mapping fields, and routes that a manifest declares. */
export function ManifestSummary({ manifest }: { manifest: Manifest }) {
  return (
    <>
      <SettingsCard manifest={manifest} />
      <IntegrationCards manifest={manifest} />
    </>
  );
}

export function SettingsCard({ manifest }: { manifest: Manifest }) {
  const settings = listSettings(manifest);
  return (
    <Card
      flush
      title="Settings"
      description={settings.length > 0 ? "What customers enter at launch." : "This app has no settings."}
    >
      {settings.length > 0 && <SettingsTable settings={settings} />}
    </Card>
  );
}

/** What it maps and when it is called, in the manifest's own words. */
export function IntegrationCards({ manifest }: { manifest: Manifest }) {
  const mappingFields = manifest.core?.fields ?? [];
  return (
    <>
      {mappingFields.length > 0 && (
        <Card
          flush
          title="Mapping fields"
          description="What customers map to a field of each of their products."
        >
          <Table label="Mapping fields">
            <TableHead columns={["Field", "Name", ""]} />
            <TableBody>
              {mappingFields.map((field) => (
                <TableRow key={field.name}>
                  <TitleCell title={field.title} hint={field.hint} />
                  <TableCell translate="no" label="Name" className="font-mono text-small">
                    {field.name}
                  </TableCell>
                  <TableCell>{field.required === true && <Badge>Required</Badge>}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Card>
      )}
      <RoutesCard manifest={manifest} />
    </>
  );
}

function SettingsTable({ settings }: { settings: Setting[] }) {
  return (
    <Table label="Settings">
      <TableHead columns={["Setting", "Name", "Type", ""]} />
      <TableBody>
        {settings.map((setting) => (
          <TableRow key={setting.name}>
            <TitleCell
              title={setting.title}
              hint={setting.hint ?? (setting.values ?? []).map((item) => item.text).join(", ")}
            />
            <TableCell translate="no" label="Name" className="font-mono text-small">
              {setting.name}
            </TableCell>
            <TableCell label="Type">{setting.type}</TableCell>
            <TableCell>
              {(setting.required === true || isSensitive(setting)) && (
                <span className="flex flex-wrap gap-1">
                  {setting.required === true && <Badge>Required</Badge>}
                  {isSensitive(setting) && <Badge tone="accent">Sensitive</Badge>}
                </span>
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function TitleCell({ title, hint }: { title: string; hint?: string }) {
  return (
    <TableCell className="min-w-48">
      <bdi className="block text-ink">{title}</bdi>
      {hint !== undefined && hint !== "" && (
        <bdi className="block max-w-md text-small leading-5 text-ink-faint">{hint}</bdi>
      )}
    </TableCell>
  );
}

interface RouteRow {
  kind: string;
  path: string;
  for: string;
}

function listRoutes({ core }: Manifest): RouteRow[] {
  return [
    ...(core?.webhooks ?? []).map((hook) => ({
      kind: "Webhook",
      path: hook.path,
      for: hook.events.join(", "),
    })),
    ...(core?.autofill ?? []).map((autofill) => ({
      kind: "Autofill",
      path: autofill.path,
      for: autofill.operations.join(", "),
    })),
    ...(core?.externalRaters ?? []).map((rater) => ({
      kind: "External rater",
      path: rater.path,
      for: rater.name,
    })),
    ...(core?.endpoints ?? []).map((endpoint) => ({
      kind: endpoint.access === "public" ? "Public endpoint" : "Endpoint",
      path: `${endpoint.methods.join(", ")} ${endpoint.path}`,
      for: endpoint.title,
    })),
    ...(core?.lifecycle ?? []).map((event) => ({
      kind: "Lifecycle hook",
      path: `/_app/${event}`,
      for: event,
    })),
  ];
}

function RoutesCard({ manifest }: { manifest: Manifest }) {
  const routes = listRoutes(manifest);
  return (
    <Card
      flush
      title="Integrations"
      description={
        routes.length > 0
          ? "When the platform calls the app, and what others can reach through the platform."
          : "The platform never calls this app."
      }
    >
      {routes.length > 0 && (
        <Table label="Integrations">
          <TableHead columns={["Kind", "Path", "For"]} />
          <TableBody>
            {routes.map((route, index) => (
              <TableRow key={index}>
                <TableCell className="whitespace-nowrap">{route.kind}</TableCell>
                <TableCell translate="no" label="Path" className="font-mono text-small">
                  {route.path}
                </TableCell>
                <TableCell translate="no" label="For" className="font-mono text-small break-words">
                  <bdi>{route.for}</bdi>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Card>
  );
}
