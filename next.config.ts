import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withIntl = createNextIntlPlugin("./lib/platform/messages/index.ts");

const config: NextConfig = {
  poweredByHeader: false,
  // scripts/build.ts clears it, because `npm start` runs from a file in it and loads others later.
  cleanDistDir: false,
  // workers/web.ts compresses, with Brotli too.
  compress: false,
  // `next dev` would write files into the checkout.
  agentRules: false,
  // Drivers and the log open files and sockets, which a bundled copy would open twice.
  serverExternalPackages: [
    "pg",
    "ioredis",
    "bullmq",
    "pino",
    "pino-pretty",
    "@prisma/client",
    "@prisma/adapter-pg",
    "@prisma/driver-adapter-utils",
    // Caption fonts are files, and their decoder has 300 KB.
    "opentype.js",
    "woff2-encoder",
  ],
  // `npm run check` checks types for the whole repository.
  typescript: { ignoreBuildErrors: true },
  // Where bookmarks of earlier versions lead. An even earlier version redirected `settings/tags` permanently to `tags`, and
  // browsers remember that: the query parameter makes another address of it, which ends the circle.
  redirects: async () =>
    Object.entries({
      tags: "/app/:workspace/settings/tags?moved",
      folders: "/app/:workspace/settings/folders?moved",
      utm: "/app/:workspace/settings/utm?moved",
      "settings/browser": "/app/:workspace/settings/extension",
      "settings/security": "/app/account/security",
    }).map(([path, destination]) => ({
      source: `/app/:workspace/${path}`,
      destination,
      permanent: false,
    })),
  experimental: {
    optimizePackageImports: ["radix-ui"],
    // Prefetched pages are shown for this long, so their numbers may be this old.
    staleTimes: { static: 30 },
  },
};

export default withIntl(config);
