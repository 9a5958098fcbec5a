/** The commands that pages show to publishers. A test of the command line runs them. */
import { MANIFEST_FILE } from "./names";

/** In a copy of this repository. It links the command to the copy. */
export const INSTALL_COMMAND = "npm ci && npm install --global .";

export const DOCKERFILE_LINE = `COPY ${MANIFEST_FILE} /`;

/** @param name `<org-name>/<app-name>` */
export function publishCommands(name: string) {
  const image = `${name}:latest`;
  return {
    pull: `platform-app manifest pull --app ${name}`,
    build: `docker build --platform linux/amd64 -t ${image} .`,
    publish: `platform-app publish ${image}`,
  };
}
