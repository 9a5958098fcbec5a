/** What the browser fills into a form of settings is marked, and not sent before somebody confirmed it. */
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { createBrowserFill } from "@/tests/browser/browser-fill";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { Button } from "../button";
import { TextField } from "./fields";
import { SecretField } from "./secret-field";
import { SettingsForm, useFillCheck } from "./settings-form";

const region = () => page.getByRole("textbox", { name: "Region" });
const key = () => page.getByRole("textbox", { name: "Provider key" });
const marks = () => page.getByText("Filled by your browser. Check it.");
const confirm = (label: string) => page.getByRole("button", { name: `Use this value for ${label}` });

interface FormProps {
  send: (values: string[]) => void;
  check?: () => void;
}

function Form({ send, check }: FormProps) {
  const [values, setValues] = useState({ region: "", key: "" });
  return (
    <SettingsForm
      onSubmit={(event) => {
        event.preventDefault();
        send(Object.values(values));
      }}
      className="flex flex-col gap-4"
    >
      <TextField
        label="Region"
        autoComplete="off"
        value={values.region}
        onChange={(text) => setValues((all) => ({ ...all, region: text }))}
      />
      <SecretField
        label="Provider key"
        value={values.key}
        onChange={(text) => setValues((all) => ({ ...all, key: text }))}
      />
      {check !== undefined && <CheckButton check={check} />}
      <Button type="submit">Save</Button>
    </SettingsForm>
  );
}

function CheckButton({ check }: { check: () => void }) {
  const mayBeSent = useFillCheck();
  return <Button onPress={() => mayBeSent() && check()}>Check</Button>;
}

test("filled values are marked and announced, and sent once each is confirmed by keyboard", async () => {
  const fill = createBrowserFill();
  const send = vi.fn();
  await renderPage(<Form send={send} />);
  await fill(region().element(), "user@company.example");
  await fill(key().element(), "the password of this site");
  await expect.poll(() => marks().all().length).toBe(2);
  await expect
    .element(page.getByRole("status").filter({ hasText: "filled in 2 fields" }))
    .toBeInTheDocument();
  await checkAppearance("filled by the browser");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(confirm("Region")).toHaveFocus();
  expect(send).not.toHaveBeenCalled();
  await userEvent.keyboard("{Enter}");
  await expect.element(region()).toHaveFocus();
  await expect.poll(() => marks().all().length).toBe(1);
  await userEvent.keyboard("{Enter}");
  await expect.element(confirm("Provider key")).toHaveFocus();
  await userEvent.keyboard(" ");
  await expect.poll(() => marks().all().length).toBe(0);
  expect(send).not.toHaveBeenCalled();
  await page.getByRole("button", { name: "Save" }).click();
  expect(send.mock.calls).toEqual([[["user@company.example", "the password of this site"]]]);
});

test("typing over a filled value needs no confirmation, and a value that is filled in again needs one", async () => {
  const fill = createBrowserFill();
  const send = vi.fn();
  await renderPage(<Form send={send} />);
  await fill(region().element(), "one");
  await confirm("Region").click();
  await expect.poll(() => marks().all().length).toBe(0);
  await fill(region().element(), "another");
  await expect.poll(() => marks().all().length).toBe(1);
  await region().click();
  await userEvent.keyboard("!");
  await expect.poll(() => marks().all().length).toBe(0);
  await page.getByRole("button", { name: "Save" }).click();
  expect(send.mock.calls).toEqual([[["another!", ""]]]);
});

test("a fill that no event told about is found when the values are to be sent, also without a submit", async () => {
  const fill = createBrowserFill();
  const [send, check] = [vi.fn(), vi.fn()];
  await renderPage(<Form send={send} check={check} />);
  await fill(key().element(), "the password of this site", { isSilent: true });
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect.element(confirm("Provider key")).toHaveFocus();
  expect(check).not.toHaveBeenCalled();
  await confirm("Provider key").click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  expect(check).toHaveBeenCalledOnce();
});
