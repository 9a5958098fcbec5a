"use client";

import { LockKeyhole, Trash2 } from "lucide-react";
import { memo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Segments } from "@/components/ui/forms/segments";
import { ExactTextField } from "@/components/ui/forms/exact-field";
import { SecretField } from "@/components/ui/forms/secret-field";
import { SelectField } from "@/components/ui/forms/select-field";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SettingView } from "@/lib/contract/catalog/configuration";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import { type Answer, LOST_SECRET, settingChoices, takeBackText } from "@/lib/domain/catalog/answer-sheet";
import { choiceText, settingPointer } from "@/lib/domain/catalog/configuration";
import { type ChangeAnswer, focusFieldBeside, useSheet } from "./answer-form";
import { SeenSetting } from "./names-shown";

/** A row for each of these settings. Rows take plain values: typing in one draws only that one. */
export function SettingRows({ settings, className }: { settings: readonly Setting[]; className?: string }) {
  const { sheet, issues, change } = useSheet();
  return settings.map((setting) => {
    const pointer = settingPointer(setting.name);
    return (
      <div key={setting.name} data-pointer={pointer} className={`min-w-0 ${className ?? ""}`}>
        <SettingRow
          setting={setting}
          view={sheet.view(setting)}
          ask={sheet.ask(pointer)}
          answer={sheet.answer(setting)}
          value={sheet.value(setting)}
          isChanged={sheet.action(setting) !== undefined}
          error={issues.find((issue) => issue.pointer === pointer)?.message}
          change={change}
        />
      </div>
    );
  });
}

interface SettingRowProps {
  setting: Setting;
  /** How it is stored; undefined in a launch. */
  view: SettingView | undefined;
  /** Why it is asked for again. */
  ask: Issue | undefined;
  answer: Answer;
  value: string | undefined;
  isChanged: boolean;
  error: string | undefined;
  change: ChangeAnswer;
}

const SettingRow = memo(function SettingRow(props: SettingRowProps) {
  const { kind, keep } = settingChoices(props.setting, props.view, props.ask);
  return kind === "secret" && keep ? (
    <StoredSecret {...props} />
  ) : (
    <OpenSetting {...props} isSecret={kind === "secret"} />
  );
});

const ENTER_OR_SKIP = [
  { value: "set", text: "Enter" },
  { value: "clear", text: "Skip" },
] as const;

/** Asks that are not mistakes of the user. */
const SHOWN_ASKS: ReadonlySet<string> = new Set(["setting-ask-again", LOST_SECRET]);

/** A setting with an input. An optional one that is asked for again can be skipped. */
function OpenSetting(props: SettingRowProps & { isSecret: boolean }) {
  const { setting, view, ask, answer, value, isChanged, error, change, isSecret } = props;
  const pointer = settingPointer(setting.name);
  const maySkip = ask !== undefined && setting.required !== true;
  const isSkipped = maySkip && answer.action === "clear";
  const reason = ask !== undefined && SHOWN_ASKS.has(ask.code) ? ask.message : undefined;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {(reason !== undefined || maySkip) && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-64 text-small leading-5 wrap-anywhere text-ink-soft">
            {isSkipped
              ? `${setting.title} is skipped. The app doesn't receive it.`
              : reason !== error && reason}
          </p>
          {maySkip && (
            <Segments
              isField
              label={`${setting.title}: enter or skip`}
              options={ENTER_OR_SKIP}
              value={isSkipped ? "clear" : "set"}
              onChange={(action) => change(pointer, { ...answer, action })}
            />
          )}
        </div>
      )}
      {!isSkipped && (
        <div className="flex min-w-0 flex-col gap-1.5">
          <SettingField
            setting={setting}
            value={value}
            error={error}
            onChange={(text) => change(pointer, { action: "set", text })}
            onDiscard={() => change(pointer, takeBackText)}
          />
          {view !== undefined && ask === undefined && isSecret && value === undefined && (
            <p className="text-small leading-5 text-ink-faint">
              Not set. The value is hidden after you save it.
            </p>
          )}
          {view?.sensitive === false && ask === undefined && isChanged && (
            <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-small leading-5 text-ink-soft">
              <span className="min-w-0 wrap-anywhere">{describeChange(setting, view.value, value)}</span>
              <Button
                size="tiny"
                tone="quiet"
                className="-my-1"
                onPress={({ target }) => {
                  focusFieldBeside(target);
                  change(pointer, undefined);
                }}
              >
                Undo
              </Button>
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function describeChange(setting: Setting, stored: string | undefined, value: string | undefined): string {
  const text = choiceText(setting, stored);
  const before = text === undefined ? "Was not set." : text === "" ? "Was empty." : `Was “${text}”.`;
  const isCleared = value === undefined || (value === "" && setting.type !== "Select");
  return isCleared && setting.required !== true
    ? `${before} Saving clears it, and the app no longer receives it.`
    : before;
}

const SECRET_CHOICES = [
  { value: "keep", text: "Keep" },
  { value: "set", text: "Replace" },
  { value: "clear", text: "Clear" },
] as const;

/** A stored secret is kept, replaced or cleared. The stored value is in no input. */
function StoredSecret({ setting, view, answer, value, error, change }: SettingRowProps) {
  const { title, hint, required } = setting;
  const { action } = answer;
  const pointer = settingPointer(setting.name);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex items-baseline gap-2 text-small font-medium break-words text-ink">
            {title}
            {required !== true && <span className="text-xs font-normal text-ink-faint">optional</span>}
          </p>
          {hint !== undefined && hint !== "" && (
            <p className="text-small leading-5 break-words text-ink-faint">{hint}</p>
          )}
        </div>
        <Segments
          isField
          label={`${title}: keep, replace, or clear`}
          options={required === true ? SECRET_CHOICES.slice(0, 2) : SECRET_CHOICES}
          value={action}
          isInvalid={error !== undefined && action !== "set"}
          // The typed text stays while another choice is tried.
          onChange={(chosen) => change(pointer, { ...answer, action: chosen })}
        />
      </div>
      {action === "set" ? (
        <SettingField
          setting={{ ...setting, title: `New value of ${title}`, hint: hintForNew(setting), required: true }}
          value={value}
          error={error}
          onChange={(text) => change(pointer, { action, text })}
          onDiscard={() => change(pointer, takeBackText)}
        />
      ) : (
        <>
          <p className="flex items-start gap-2 rounded-field border border-line bg-subtle px-3 py-2 text-small leading-5 text-ink-soft">
            {action === "keep" ? <Kept view={view} /> : <Cleared />}
          </p>
          <SeenSetting
            setting={{ ...setting, sensitive: true }}
            value={action === "keep" ? "kept" : undefined}
          />
          {error !== undefined && <p className="text-small leading-5 text-danger">{error}</p>}
        </>
      )}
    </div>
  );
}

function Kept({ view }: { view: SettingView | undefined }) {
  const { updatedAt, by } = view?.sensitive === true ? view : {};
  return (
    <>
      <LockKeyhole aria-hidden className="mt-[0.1875rem] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 break-words">
        Set
        {updatedAt !== undefined && (
          <>
            {" "}
            <RelativeTime at={updatedAt} />
          </>
        )}
        {by !== undefined && ` by ${by}`}. Hidden, and kept when you save.
      </span>
    </>
  );
}

function Cleared() {
  return (
    <>
      <Trash2 aria-hidden className="mt-[0.1875rem] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0">
        Saving removes the stored value. From the next call, the app no longer receives it.
      </span>
    </>
  );
}

/** A stored secret stays hidden; a new value follows what the app declares now. */
function hintForNew(setting: Setting): string {
  return isSensitive(setting)
    ? "Hidden after you save. The stored value is used until then."
    : "The app no longer treats this as a secret: the new value stays readable here.";
}

interface SettingFieldProps {
  setting: Setting;
  /** Undefined: skipped. */
  value: string | undefined;
  /** An emptied text is undefined, not "". */
  onChange: (value: string | undefined) => void;
  onDiscard: () => void;
  error?: string;
}

const NONE = "none";

/** The input for one entry of `app.fields`. Sensitive text is hidden while it is typed. */
function SettingField(props: SettingFieldProps) {
  // Publishers write titles and hints, and a word can have any length.
  return (
    <div className="contents wrap-anywhere">
      <SettingInput {...props} />
    </div>
  );
}

function SettingInput({ setting, value, onChange, onDiscard, error }: SettingFieldProps) {
  const hint = (
    <>
      {setting.hint}
      <SeenSetting setting={setting} value={value} />
    </>
  );
  const shared = {
    label: setting.title,
    hint,
    error,
    isRequired: setting.required === true,
    name: setting.name,
  };
  if (setting.type === "Select")
    return <SelectSetting setting={setting} value={value} onChange={onChange} shared={shared} />;
  const text = {
    value: value ?? "",
    onChange: (typed: string) => onChange(typed === "" ? undefined : typed),
    onDiscard,
  };
  if (!isSensitive(setting)) return <ExactTextField {...shared} {...text} />;
  return <SecretField {...shared} {...text} />;
}

interface SelectSettingProps extends Omit<SettingFieldProps, "error" | "onDiscard"> {
  shared: { label: string; hint?: React.ReactNode; error?: string; isRequired: boolean; name: string };
}

/** A longer list is rendered when the field gets the focus: a hundred of them at once block a page for seconds. */
const SHORT_LIST = 30;

/** Options are keyed by their index, because a value can be any string, even an empty one. */
function SelectSetting({ setting, value, onChange, shared }: SelectSettingProps) {
  const offered = setting.values ?? [];
  const [wanted, setWanted] = useState(offered.length <= SHORT_LIST);
  const want = () => setWanted(true);
  const options = offered.map((item, index) => ({ value: `value-${index}`, text: item.text }));
  const at = value === undefined ? -1 : offered.findIndex((item) => item.value === value);
  const chosen = at === -1 ? "" : `value-${at}`;
  const all = setting.required === true ? options : [{ value: NONE, text: "None" }, ...options];
  return (
    <div className="contents" onFocusCapture={want} onPointerDownCapture={want} onClickCapture={want}>
      <SelectField
        {...shared}
        options={wanted ? all : all.filter((option) => option.value === chosen)}
        value={chosen}
        onChange={(key) => onChange(offered[Number(key.replace("value-", ""))]?.value)}
      />
    </div>
  );
}
