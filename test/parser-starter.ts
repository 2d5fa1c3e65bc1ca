/** A process whose child is parsing when it is killed. */
import { openParsers } from "#lib/platform/parsers";
import { echo, stubborn } from "./hostile-parsers.ts";

const sender = { workspaceId: "ws_starter" };
openParsers({ warm: 1 }, new URL("./parser-program.ts", import.meta.url));
const { pid } = await echo.run(Buffer.alloc(1), sender);
// The same child, the only idle one.
void stubborn.run(120_000, sender);
process.send?.(pid);
