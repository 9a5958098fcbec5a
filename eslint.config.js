import nextVitals from "eslint-config-next/core-web-vitals";
import nextTypescript from "eslint-config-next/typescript";

const environmentFiles = [
  "lib/server/platform/environment.ts",
  "cli/terminal/environment.ts",
  // It runs beside the platform, and has none of its settings.
  "guard/main.ts",
  "launcher/**",
  "tests/**",
  "e2e/**",
  "bench/**",
  "examples/**",
  "cli/templates/**",
  "docs/guide/snippets/**",
  "*.config.ts",
  "**/*.test.ts",
];

/** Everything that has components or hooks. */
const reactFiles = [
  "**/*.tsx",
  "{components,lib/client,lib/server/surface/web,tests/browser,cli/dev-page}/**/*.{ts,tsx}",
];
const reactRules = nextVitals
  .flatMap(({ rules = {} }) => Object.keys(rules))
  .filter((rule) => /^(react|react-hooks|jsx-a11y)\//.test(rule));

/** What a date is in the zone of the browser, or of the server. */
const ofThisMachine = [
  ...["toDateString", "toTimeString", "toLocaleDateString", "toLocaleTimeString"],
  ...["getFullYear", "getMonth", "getDate", "getDay", "getHours", "getMinutes"],
].map((property) => ({
  property,
  message: "Days and times are a person's: write them with lib/domain/platform/zone.ts, and their zone.",
}));

const config = [
  {
    ignores: [
      ".next/**",
      ".build/**",
      ".data/**",
      "cli/dist/**",
      "next-env.d.ts",
      "test-results/**",
      "playwright-report/**",
    ],
  },
  ...nextVitals,
  ...nextTypescript,
  {
    rules: {
      eqeqeq: ["error", "always"],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message:
            "Read the environment in lib/server/platform/environment.ts (or cli/terminal/environment.ts), and pass the values on.",
        },
        {
          selector: "ExportAllDeclaration",
          message: "No barrel files: import from the file that defines it.",
        },
      ],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  // These rules compile each function to find components, which takes three quarters of the time.
  { ignores: reactFiles, rules: Object.fromEntries(reactRules.map((rule) => [rule, "off"])) },
  { files: environmentFiles, rules: { "no-restricted-syntax": "off" } },
  {
    files: ["app/**", "components/**"],
    ignores: ["components/ui/link*.tsx", "components/surface/navigation.tsx"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          name: "next/link",
          message: "Use PageLink of components/ui/links.tsx: next/link loads every page it can see.",
        },
        {
          name: "react-aria-components",
          importNames: ["useFilter"],
          message: "Use hasTypedWords of lib/domain/platform/text.ts, so that all searches find the same.",
        },
      ],
    },
  },
  {
    files: ["lib/server/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          name: "drizzle-orm",
          importNames: ["ilike"],
          message: "Use contains or containsFolded of expressions.ts, so that all searches find the same.",
        },
      ],
    },
  },
  {
    files: ["app/**", "components/**", "lib/**"],
    ignores: ["**/*.test.*"],
    rules: { "no-restricted-properties": ["error", ...ofThisMachine] },
  },
  {
    files: ["launcher/**", "deploy/**", "tests/**", "e2e/**", "bench/**", "examples/**", "cli/**"],
    rules: { "no-console": "off" },
  },
];

export default config;
