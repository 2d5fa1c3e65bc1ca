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
  // Where bookmarks of earlier versions lead.
  redirects: async () =>
    Object.entries({
      tags: "/app/:workspace/settings/tags",
      folders: "/app/:workspace/settings/folders",
      utm: "/app/:workspace/settings/utm",
      "settings/browser": "/app/:workspace/settings/extension",
      "settings/security": "/app/account/security",
    }).map(([path, destination]) => ({
      source: `/app/:workspace/${path}`,
      destination,
      permanent: true,
    })),
  experimental: {
    optimizePackageImports: ["radix-ui"],
    // Prefetched pages are shown without another request for this long: their numbers may be this old.
    staleTimes: { static: 30 },
  },
};

export default withIntl(config);
