import * as z from "zod";
import { manifest } from "./manifest";

/** Must agree with `splitAppName`: two slugs of 2 to 40 characters. */
const APP_NAME = "^(?=[^/]{2,40}/[^/]{2,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/** Must agree with `parseVersion`: three numbers of up to 15 digits, without leading zeros. */
const VERSION = "^(0|[1-9]\\d{0,14})(\\.(0|[1-9]\\d{0,14})){2}$";

/**
 * The JSON Schema of `platform-app.json`, for editors that complete and check the file, generated from the validator's
 * shape. Draft 7, because VS Code supports later drafts only in part. It cannot express that names, paths, values and
 * keys are unique, or how large and deep a file may be; the validator checks that.
 */
export function manifestSchema(id: string): object {
  const named = manifest.extend({
    name: manifest.shape.name.meta({ pattern: APP_NAME }),
    version: manifest.shape.version.meta({ pattern: VERSION }),
  });
  const schema = z.toJSONSchema(named, { target: "draft-07", io: "input", reused: "inline" });
  const title = "App manifest (platform-app.json)";
  const copy: object = JSON.parse(JSON.stringify({ ...schema, $id: id, title }));
  return copy;
}
