/** What the terminal says first: where the emulator is, and what to do next. */
import type { CliContext } from "../../terminal/environment";
import { visible } from "../../terminal/failure";
import { style } from "../../terminal/style";
import type { Emulator } from "../emulator/emulator";

export function greet({ terminal }: CliContext, { url, appUrl, customers, manifestView }: Emulator): void {
  const { bold, dim } = style(terminal);
  const { name, version, routes } = manifestView;
  const names = customers.list().map((customer) => customer.name);
  terminal.data({ event: "started", url, stateApi: appUrl, answersFile: customers.file });
  terminal.result(`${bold(visible(name))} ${version} at ${bold(url)}`);
  terminal.result(
    dim(`Customers: ${visible(names.join(", "))}. Their answers are made up; change them on the page.`),
  );
  terminal.result(
    dim(`Answers, with secrets, are kept in ${visible(customers.file)}, which only you can read.`),
  );
  const [route] = routes;
  if (route !== undefined)
    terminal.result(dim(`Send a call from another terminal: platform-app call ${visible(route.path)}`));
  if (terminal.interactive) terminal.result(dim("Press r to restart, o to open the page, q to quit."));
}
