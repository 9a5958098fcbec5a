import type { FieldValues, Resolver } from "react-hook-form";
import type { z } from "zod";

/** Checks a form with a zod shape that is loaded when it is first needed: most visitors of a page send no form. */
export function lazyResolver<Values extends FieldValues>(
  load: () => Promise<z.ZodType<Values, Values>>,
): Resolver<Values> {
  return async (values, context, options) => {
    try {
      const [{ zodResolver }, shape] = await Promise.all([import("@hookform/resolvers/zod"), load()]);
      return await zodResolver(shape)(values, context, options);
    } catch {
      // The files could not be loaded. The server checks the input too, and says what is wrong.
      return { values, errors: {} };
    }
  };
}
