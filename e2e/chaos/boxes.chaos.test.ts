import { expect, test } from "vitest";
import { runAsItStands } from "../../test/documents.ts";

const timeout = 1_300_000;

test.each(["wide,phone", "zh,phone-zh-dark"])(
  "every page of the demo has tidy boxes (%s)",
  { timeout },
  async (looks) => {
    const command = `npm run screenshots -- --all --look ${looks}`;
    const { status, stdout, stderr } = await runAsItStands(command, {});
    expect(status, `${stdout}${stderr}`).toBe(0);
  },
);
