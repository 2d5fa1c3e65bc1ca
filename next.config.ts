import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withIntl = createNextIntlPlugin("./lib/platform/messages/index.ts");

const config: NextConfig = {
  poweredByHeader: false,
  // scripts/build.ts clears it: `npm start` itself runs from a file in it, and loads others later.
  cleanDistDir: false,
  // workers/web.ts compresses, with Brotli too.
  compress: false,
  // `next dev` would write files into the checkout.
  agentRules: false,
  // Drivers and the log open files and sockets; a bundled copy would open them twice.
  serverExternalPackages: [
    "pg",
    "ioredis",
    "bullmq",
    "pino",
    "pino-pretty",
    "@prisma/client",
    "@prisma/adapter-pg",
    "@prisma/driver-adapter-utils",
    // Fonts of captions are files, and their decoder is 300 KB.
    "opentype.js",
    "woff2-encoder",
  ],
  // `npm run check` runs the compiler once for the whole repository; a build would run it again.
  typescript: { ignoreBuildErrors: true },
  // Where bookmarks lead that were made while these pages belonged to the settings.
  redirects: async () =>
    ["tags", "folders", "utm"].map((name) => ({
      source: `/app/:workspace/settings/${name}`,
      destination: `/app/:workspace/${name}`,
      permanent: true,
    })),
  experimental: {
    optimizePackageImports: ["radix-ui"],
    // Prefetched pages are shown without another request for this long: their numbers may be this old.
    staleTimes: { static: 30 },
  },
};

export default withIntl(config);
