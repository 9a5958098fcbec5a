import { z } from "zod";
import { manifest } from "./manifest";

/** As `splitAppName` has it: two slugs of 2 to 40 characters. */
const APP_NAME = "^(?=[^/]{2,40}/[^/]{2,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/** As `parseVersion` has it: three numbers up to 999999, without leading zeros. */
const VERSION = "^(0|[1-9]\\d{0,5})(\\.(0|[1-9]\\d{0,5})){2}$";

/**
 * The JSON Schema of `platform-app.json`, for editors that complete and check the file. Made of the shape that the
 * validator uses. Draft 7, since VS Code supports that one wholly and later ones in part. It cannot say that names,
 * paths, values and keys are there once only, nor how large and how deep a file may be: the validator does.
 */
export function manifestSchema(id: string): object {
  const named = manifest.extend({
    name: manifest.shape.name.meta({ pattern: APP_NAME }),
    version: manifest.shape.version.meta({ pattern: VERSION }),
  });
  const schema = z.toJSONSchema(named, { target: "draft-07", io: "input", reused: "inline" });
  const title = "Manifest of an app (platform-app.json)";
  const copy: object = JSON.parse(JSON.stringify({ ...schema, $id: id, title }));
  return copy;
}
