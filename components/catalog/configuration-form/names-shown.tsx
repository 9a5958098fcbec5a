"use client";

import type { ReactNode } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { Switch } from "@/components/ui/forms/toggles";
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";

const KEY = "names-shown";
const LONGEST = 60;

/** Whether inputs show their names, for app developers. Shared by all pages and remembered for the next visit. */
const namesShown = createStore(() => false);

// The server and the first render in the browser show no names, so the initial state stays false.
if (typeof window !== "undefined") namesShown.setState(readChoice());

export function NamesSwitch() {
  const isOn = useStore(namesShown);
  const change = (next: boolean) => {
    namesShown.setState(next);
    try {
      localStorage.setItem(KEY, next ? "1" : "0");
    } catch {
      // Without storage the choice lasts for this page.
    }
  };
  return (
    <div className="shrink-0">
      <Switch value={isOn} onChange={change}>
        Show names
      </Switch>
    </div>
  );
}

function readChoice(): boolean {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

/** A setting's name and the value that the app receives. A sensitive value is not repeated. */
export function SeenSetting({ setting, value }: { setting: Setting; value: string | undefined }) {
  return (
    <Seen
      name={setting.name}
      member={`settings${memberPath(setting.name)}`}
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

/** A mapping field's name and the path that the app receives for one product. */
export function SeenMapping({ field, product, path }: SeenMappingProps) {
  return (
    <Seen
      name={field.name}
      member={`fields${memberPath(field.name)}`}
      product={product}
      value={path === "" ? undefined : path}
      isRequired={field.required === true}
    />
  );
}

interface SeenProps {
  name: string;
  /** How the app's code reads it. */
  member: string;
  product?: string;
  value: string | undefined;
  isHidden?: boolean;
  isRequired: boolean;
}

function Seen({ name, member, product, value, isHidden = false, isRequired }: SeenProps) {
  if (!useStore(namesShown)) return null;
  const what = (
    <>
      <Code>{member}</Code>
      {product !== undefined && <> of {product}</>}
    </>
  );
  return (
    <span className="block text-xs leading-5 break-words text-ink-faint">
      Name <Code>{name}</Code>.{" "}
      {value !== undefined && (
        <>
          The app receives {what}{" "}
          {isHidden ? (
            "as entered"
          ) : (
            <>
              as <Code>{quote(value)}</Code>
            </>
          )}
          .
        </>
      )}
      {value === undefined && isRequired && <>The app receives {what} after you fill it in.</>}
      {value === undefined && !isRequired && <>If you skip it, the app receives no {what}.</>}
    </span>
  );
}

function Code({ children }: { children: ReactNode }) {
  return (
    <code translate="no" className="rounded-sm bg-subtle px-1 font-mono wrap-anywhere text-ink-soft">
      {children}
    </code>
  );
}

function memberPath(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function quote(value: string): string {
  return value.length > LONGEST ? `${JSON.stringify(value.slice(0, LONGEST))}…` : JSON.stringify(value);
}
