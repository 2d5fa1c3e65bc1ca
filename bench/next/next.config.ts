import type { NextConfig } from "next";

const config: NextConfig = {
  agentRules: false,
  serverExternalPackages: ["ioredis"],
  typescript: { ignoreBuildErrors: true },
};

export default config;
