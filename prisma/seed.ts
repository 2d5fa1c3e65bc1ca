/**
 * What a new installation begins with: the demo, unless --no-demo is given, and the owner whom FUXI_OWNER_EMAIL and
 * FUXI_OWNER_PASSWORD name. Runs at every start and does each thing once.
 */
import { hasOwner, setUpOwner } from "#lib/auth";
import { configOrExit } from "#lib/config";
import { seedDemo } from "#lib/demo";
import { openInstallation } from "#lib/installation";
import { closeAll } from "#lib/lifetime";
import { log } from "#lib/log";

const { FUXI_OWNER_EMAIL, FUXI_OWNER_PASSWORD, FUXI_API_KEY } = configOrExit();
await openInstallation();

if (!process.argv.includes("--no-demo") && !(await hasOwner())) {
  const beganAt = performance.now();
  if (await seedDemo()) {
    log.info({ event: "demo.made", ms: Math.round(performance.now() - beganAt) });
  }
}

if (FUXI_OWNER_EMAIL !== undefined && FUXI_OWNER_PASSWORD !== undefined) {
  const email = FUXI_OWNER_EMAIL;
  const owner = { email, password: FUXI_OWNER_PASSWORD, apiKey: FUXI_API_KEY };
  if (!(await setUpOwner(owner))) {
    log.warn({
      event: "owner.exists",
      text: `This installation belongs to somebody else; FUXI_OWNER_EMAIL ${email} was not set up.`,
    });
  }
}

await closeAll();
