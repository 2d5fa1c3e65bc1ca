/** `npm run build:extension`: the browser extension as a folder, which works with any instance. */
import { bundleExtension, extensionFolder } from "./extension.ts";

await bundleExtension();
process.stdout.write(
  `The extension is in ${extensionFolder}. Load it under chrome://extensions with “Load unpacked”.\n`,
);
