/** For unit tests: the settings that every process needs, of stores that do not exist. `more` adds others. */
export function giveSettings(more: Readonly<Record<string, string>> = {}): void {
  Object.assign(process.env, {
    DATABASE_URL: "postgres://localhost/none",
    REDIS_URL: "redis://localhost",
    FUXI_CODE_KEY: "0".repeat(64),
    FUXI_CODE_TWEAK: "0".repeat(14),
    FUXI_SESSION_SECRET: "0".repeat(64),
    ...more,
  });
}
