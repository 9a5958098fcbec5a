import { expect, test } from "vitest";
import {
  DEV_COMMAND,
  INIT_COMMAND,
  loginCommand,
  LOGS_COMMAND,
  publishCommands,
} from "@/lib/contract/publish-commands";
import { createProgram } from "./program";
import { readCliEnvironment } from "./terminal/environment";
import { recordTerminal } from "./terminal/test-terminal";

const { init, pull, publish, submit } = publishCommands("acme/vin-lookup");

// Guarantee: whoever copies a command from a page runs a command that exists, with options that it knows.
test.each([
  INIT_COMMAND,
  DEV_COMMAND,
  loginCommand("https://apps.example"),
  init,
  pull,
  publish,
  submit,
  LOGS_COMMAND,
])("%s", (line) => {
  const [name, ...words] = line.split(" ");
  expect(name).toBe("platform-app");
  let command = createProgram({ environment: readCliEnvironment({}), terminal: recordTerminal() });
  for (;;) {
    const inner = command.commands.find((each) => each.name() === words[0]);
    if (inner === undefined) break;
    command = inner;
    words.shift();
  }
  expect(command.parent).not.toBeNull();
  const { operands, unknown } = command.parseOptions(words);
  expect(unknown).toEqual([]);
  expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
});
