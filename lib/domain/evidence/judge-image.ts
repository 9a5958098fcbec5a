import { listSome, pass, skip, warn, type Verdict } from "./verdict";

interface Image {
  architecture: string;
  user: string;
  exposedPorts: readonly string[];
  volumes: readonly string[];
}

const NO_IMAGE =
  "This version is an example that runs from its folder, without an image. Publish an image to have it checked.";
const ROOT_USERS = new Set(["", "0", "root"]);

const MISSING =
  "The platform's stored copy of this image is missing. Ask the platform's operator to restore it, then run the checks again.";

/** @param image null for an example that is not an image, undefined if its stored archive is missing */
export function judgeImage(
  image: Image | null | undefined,
): Record<"architecture" | "image-settings", Verdict> {
  if (image === null) return { architecture: skip(NO_IMAGE), "image-settings": skip(NO_IMAGE) };
  if (image === undefined) return { architecture: skip(MISSING), "image-settings": skip(MISSING) };
  return {
    // Images for anything else are refused when they are published.
    architecture: pass(`The image is for ${image.architecture}.`),
    "image-settings": judgeSettings(image),
  };
}

function judgeSettings({ user, exposedPorts, volumes }: Image): Verdict {
  const asRoot = ROOT_USERS.has(user.split(":", 1)[0] ?? "");
  const problems = [
    ...(asRoot
      ? [
          `The image runs as ${user === "" ? "root, because it sets no USER" : `USER ${user}`}. The platform runs it as user 65532, so make sure that it needs no root, and set USER 65532.`,
        ]
      : []),
    ...(volumes.length > 0
      ? [
          `The image declares VOLUME ${listSome(volumes)}. The platform ignores volumes, and what an app writes is lost when it stops. Remove the instruction.`,
        ]
      : []),
  ];
  if (problems.length > 0) return warn(problems.join(" "));
  const ports =
    exposedPorts.length === 0 ? "" : ` It exposes ${listSome(exposedPorts)}, which has no effect.`;
  return pass(`The image runs as user ${user} and declares no volumes.${ports}`);
}
