"use client";

import type { ReactNode } from "react";
import { isSensitive, type MappingField, type Setting } from "@/lib/contract/manifest";
import { useNamesShown } from "./names-shown";

const LONGEST = 60;

/** On request: a setting's name, and what the app gets of it. A sensitive value is not repeated. */
export function SeenSetting({ setting, value }: { setting: Setting; value: string | undefined }) {
  return (
    <Seen
      name={setting.name}
      as={`settings${memberPath(setting.name)}`}
      value={value}
      isHidden={isSensitive(setting)}
      isRequired={setting.required === true}
    />
  );
}

interface SeenMappingProps {
  field: MappingField;
  product: string;
  path: string;
}

/** On request: a mapping field's name, and what the app gets of it for one product. */
export function SeenMapping({ field, product, path }: SeenMappingProps) {
  return (
    <Seen
      name={field.name}
      as={`fields${memberPath(field.name)}`}
      of={product}
      value={path === "" ? undefined : path}
      isRequired={field.required === true}
    />
  );
}

interface SeenProps {
  name: string;
  /** How the app's code reads it. */
  as: string;
  of?: string;
  value: string | undefined;
  isHidden?: boolean;
  isRequired: boolean;
}

function Seen({ name, as, of, value, isHidden = false, isRequired }: SeenProps) {
  if (!useNamesShown()) return null;
  const place = (
    <>
      <Code>{as}</Code>
      {of !== undefined && <> of {of}</>}
    </>
  );
  return (
    <span className="block text-xs leading-5 break-words text-ink-faint">
      Name <Code>{name}</Code>.{" "}
      {value !== undefined && (
        <>
          The app gets {place}{" "}
          {isHidden ? (
            "as it is entered"
          ) : (
            <>
              as <Code>{quoted(value)}</Code>
            </>
          )}
          .
        </>
      )}
      {value === undefined && isRequired && <>The app gets {place} once it is answered.</>}
      {value === undefined && !isRequired && <>Skipped, the app gets no {place}.</>}
    </span>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="rounded-sm bg-subtle px-1 font-mono wrap-anywhere text-ink-soft">{children}</code>;
}

function memberPath(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function quoted(value: string): string {
  return value.length > LONGEST ? `${JSON.stringify(value.slice(0, LONGEST))}…` : JSON.stringify(value);
}
