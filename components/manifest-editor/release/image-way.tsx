"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { useEditedListing } from "../use-editor";

/** The other way to a version: a new image, by the command line. */
export function ImageWay() {
  const { name, appName } = useEditedListing();
  const commands = `platform-app manifest pull --app ${name}\ndocker build -t ${name}:latest .\nplatform-app publish ${name}:latest`;
  return (
    <section>
      <h3 className="text-[13px] font-medium text-ink">With a new image</h3>
      <p className="mt-0.5 mb-2 text-[13px] leading-5">
        In the folder of {appName}: fetch the manifest into platform-app.json, build the image, publish it.
      </p>
      <CodeBlock code={commands} label="Commands for a new image" wrap />
    </section>
  );
}
