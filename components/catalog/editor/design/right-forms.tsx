"use client";

import { useState } from "react";
import { TextField } from "@/components/ui/forms/fields";
import { Segments } from "@/components/ui/forms/segments";
import { SelectField } from "@/components/ui/forms/select-field";
import { Switch } from "@/components/ui/forms/toggles";
import { DEFAULT_PORTS, PERMISSIONS } from "@/lib/contract/platform/manifest-terms";
import { getMember } from "@/lib/domain/platform/json-text/json-value";
import { useEditedListing, useEditor, useEditorStore } from "../model/editor-store";
import { getNotes, UnsupportedValue, useEntryIssues } from "./entry-issues";
import { MemberSwitch, MemberText, useEntryEdit, useMemberEdit } from "./member-fields";

interface FormProps {
  id: string;
  value: unknown;
}

function Purpose({ form }: { form: FormProps }) {
  return (
    <MemberText
      form={form}
      member="purpose"
      label="Purpose"
      isRequired
      hint="Why the app needs it. Customers read it before they agree."
    />
  );
}

/** A permission that cores commonly have, or any other. */
export function PermissionForm({ id, value }: FormProps) {
  const form = { id, value };
  const write = useMemberEdit({ id }, "name", "Permission");
  const taken = useEditor(({ outline }) => outline.entries)
    .filter((entry) => entry.kind === "permission" && entry.id !== id)
    .map((entry) => getMember(entry.value, "name"));
  const name = getMember(value, "name");
  const { permissions = PERMISSIONS } = useEditedListing();
  const free = permissions.filter((each) => !taken.includes(each));
  const known = free.find((each) => each === name);
  return (
    <>
      <SelectField
        label="Common permissions"
        options={free.map((each) => ({ value: each, text: each }))}
        value={known ?? ""}
        placeholder="Choose one, or write another below"
        onChange={(next) => write(next, false)}
      />
      <MemberText
        form={form}
        member="name"
        label="Name"
        isRequired
        mono
        hint="The name that customers' cores use, such as policies:read"
      />
      <Purpose form={form} />
    </>
  );
}

/** A host that the manifest names, or one that customers enter in a setting. */
export function HostForm({ id, value }: FormProps) {
  const form = { id, value };
  const edit = useEntryEdit(id);
  const isEntered = getMember(value, "setting") !== undefined;
  const choose = (kind: string) =>
    edit(
      (path) => ({
        type: "assign",
        path,
        members:
          kind === "setting"
            ? { host: undefined, ports: undefined, setting: "" }
            : { setting: undefined, host: "" },
      }),
      { what: "Change who names the host" },
    );
  return (
    <>
      <div className="flex flex-col items-start gap-1.5">
        <span aria-hidden className="text-small font-medium text-ink">
          Named by
        </span>
        <Segments
          label="Named by"
          value={isEntered ? "setting" : "host"}
          onChange={choose}
          options={[
            { value: "host", text: "This manifest" },
            { value: "setting", text: "The customer" },
          ]}
        />
      </div>
      {isEntered ? (
        <SettingField id={id} value={value} />
      ) : (
        <>
          <MemberText
            form={form}
            member="host"
            label="Host"
            isRequired
            mono
            hint="Such as api.example.com, or *.example.com for all hosts below it"
          />
          <PortsField id={id} value={getMember(value, "ports")} />
        </>
      )}
      <Purpose form={form} />
      <MemberSwitch
        form={form}
        member="optional"
        label="Works without it"
        hint="Customers read that the app doesn't need this host."
      />
    </>
  );
}

function SettingField({ id, value }: FormProps) {
  const write = useMemberEdit({ id }, "setting", "Setting");
  const issues = useEntryIssues(id);
  const entries = useEditor(({ outline }) => outline.entries);
  const setting = getMember(value, "setting");
  if (typeof setting !== "string")
    return <UnsupportedValue id={id} pointer="/setting" label="Setting" value={setting} issues={issues} />;
  const names = entries
    .filter(({ kind, value: each }) => kind === "setting" && getMember(each, "type") === "Text")
    .filter(({ value: each }) => getMember(each, "sensitive") !== true)
    .flatMap(({ value: each }) => {
      const name = getMember(each, "name");
      return typeof name === "string" && name !== "" ? [name] : [];
    });
  const known = [...new Set(names)];
  const options = [
    ...(setting === "" || known.includes(setting)
      ? []
      : [{ value: setting, text: setting, detail: "Unknown setting" }]),
    ...known.map((name) => ({ value: name, text: name })),
  ];
  return (
    <div data-member="/setting">
      <SelectField
        label="Setting"
        isRequired
        options={options}
        value={setting}
        placeholder={known.length === 0 ? "Add a Text setting first" : "Choose one"}
        onChange={(next) => write(next, false)}
        {...getNotes(
          issues,
          "/setting",
          "A Text setting in which customers enter an address, such as https://api.example.com.",
        )}
      />
    </div>
  );
}

/** Numbers with commas between them. The typed text stays as long as it means what the manifest has. */
function PortsField({ id, value }: FormProps) {
  const write = useMemberEdit({ id }, "ports", "Ports");
  const issues = useEntryIssues(id);
  const [typed, setTyped] = useState("");
  if (value !== undefined && !isNumberList(value))
    return <UnsupportedValue id={id} pointer="/ports" label="Ports" value={value} issues={issues} />;
  const ports = value ?? [];
  const text = parsePorts(typed).join() === ports.join() ? typed : ports.join(", ");
  return (
    <div data-member="/ports">
      <TextField
        label="Ports"
        mono
        autoComplete="off"
        value={text}
        onChange={(next) => {
          setTyped(next);
          const numbers = parsePorts(next);
          write(numbers.length === 0 ? undefined : numbers);
        }}
        {...getNotes(
          issues,
          "/ports",
          `Separate them with commas. Empty means ${DEFAULT_PORTS.join(", ")}. Port 80 is HTTP, and all others are TLS.`,
        )}
        {...(NOT_PORTS.test(text)
          ? { error: "Write numbers with commas between them, such as 443, 8443." }
          : {})}
      />
    </div>
  );
}

const NOT_PORTS = /[^\d,\s]|\d{16}/;

function parsePorts(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number).filter(Number.isSafeInteger);
}

function isNumberList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === "number");
}

/** Without the list, an app may connect to any host. Turning the switch off removes a list that is empty. */
export function HostsSwitch() {
  const store = useEditorStore();
  const isListed = useEditor(({ outline }) => outline.listsHosts);
  const count = useEditor(({ outline }) => outline.entries.filter(({ kind }) => kind === "host").length);
  return (
    <div data-member="/core/hosts">
      <Switch
        name="hosts"
        value={isListed}
        isDisabled={count > 0}
        hint={
          count > 0
            ? "Customers see the listed hosts. Remove them all to allow any host again."
            : isListed
              ? "The app connects only to the core. Add hosts if it needs more."
              : "Off: the app may connect to any host on the internet, and customers read that before they launch it."
        }
        onChange={(isOn) =>
          store.edit(
            { type: "set", path: ["core", "hosts"], value: isOn ? [] : undefined },
            { what: isOn ? "Limit the hosts" : "Allow any host" },
          )
        }
      >
        Connect only to listed hosts
      </Switch>
    </div>
  );
}
