/** The commands that pages show to publishers. A test of the command line runs them. */
import { MANIFEST_FILE } from "../platform/manifest-terms";

/** The platform serves its own command line. */
export function installCommand(webUrl: string): string {
  return `npm install --global ${webUrl}/platform-app.tgz`;
}

export function loginCommand(gatewayUrl: string): string {
  return `platform-app login --url ${gatewayUrl}`;
}

/** Asks for the app's name. */
export const INIT_COMMAND = "platform-app init";

/** In the app's folder. */
export const DEV_COMMAND = "platform-app dev";

/** In the app's folder. */
export const LOGS_COMMAND = "platform-app logs --follow";

export const DOCKERFILE_LINE = `COPY ${MANIFEST_FILE} /`;

/** @param name `<org-name>/<app-name>` */
export function publishCommands(name: string) {
  const image = `${name}:latest`;
  return {
    init: `${INIT_COMMAND} --name ${name}`,
    pull: `platform-app manifest pull --app ${name}`,
    build: `docker build --platform linux/amd64 -t ${image} .`,
    publish: `platform-app publish ${image}`,
    submit: `platform-app submit --app ${name}`,
  };
}

/** In the package of the command line that a platform offers, beside the program: where the platform is. */
export const ADDRESSES_FILE = "platform.json";
