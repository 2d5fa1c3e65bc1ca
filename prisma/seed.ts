/** The demo, and the owner of FUXI_OWNER_EMAIL, once. Runs at every start. */
import { hasOwner, setUpOwner } from "#lib/identity/auth";
import { configOrExit } from "#lib/platform/config";
import { openInstance } from "#lib/platform/instance";
import { log } from "#lib/platform/log";
import { closeAll } from "#lib/platform/processes";
import { seedDemo } from "#lib/transfer/demo";

const { FUXI_DEMO, FUXI_OWNER_EMAIL, FUXI_OWNER_PASSWORD, FUXI_API_KEY } = configOrExit();
await openInstance();

if (FUXI_DEMO !== "off" && !(await hasOwner())) {
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
