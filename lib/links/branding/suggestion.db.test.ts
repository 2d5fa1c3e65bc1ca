/** Suggestions from real servers on this machine, which only this configuration may reach. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterEach, beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { editBranding, suggestBranding } from "./index.ts";
import { pageLogoBytesMax } from "./schema.ts";
import { vividColor } from "./suggestion.ts";

openTestStores({ FUXI_FETCH: "loopback" });
beforeAll(() => openLinks());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function openSite(files: Readonly<Record<string, Buffer | string>>): Promise<string> {
  const server = createServer((req, res) => {
    const file = files[req.url ?? ""];
    res.writeHead(file === undefined ? 404 : 200, { "Content-Type": "text/html" }).end(file);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function square(background: string): Promise<Buffer> {
  return sharp({ create: { width: 96, height: 96, channels: 4, background } })
    .png()
    .toBuffer();
}

test("the color and icon of the site that links redirect to are suggested, and accepted as they are", async () => {
  const site = await openSite({
    "/": '<meta name="theme-color" content="#0F7"><link rel="apple-touch-icon" href="/icon.png">',
    "/icon.png": await square("#1e3a8a"),
  });
  const scope = await makeTestScope("suggested");
  await make(scope, [{ url: `${site}/spring` }, { url: `${site}/summer` }]);
  const suggestion = await suggestBranding(scope);
  expect(suggestion).toMatchObject({ site: new URL(site).host, color: "#00ff77" });
  const { color, logo } = suggestion;
  expect(Buffer.from(logo ?? "", "base64").length).toBeLessThanOrEqual(pageLogoBytesMax);
  expect(await editBranding(scope, { color, logo })).toMatchObject({ color: "#00ff77" });
});

test("without a theme color it is that of the icon; a gray icon has none", async () => {
  const site = await openSite({ "/": "<p>home", "/favicon.ico": await square("#c02040") });
  const scope = await makeTestScope("colored");
  await make(scope, [{ url: `${site}/` }]);
  expect(await suggestBranding(scope)).toMatchObject({ color: "#c02040" });
  expect(await vividColor(await square("#777777"))).toBeNull();
  expect(await vividColor(await square("#c0204000"))).toBeNull();
});

test("nothing is suggested to an empty workspace, for a site without either, or to a member who may not save it", async () => {
  const none = { site: null, color: null, logo: null };
  const scope = await makeTestScope("plain");
  expect(await suggestBranding(scope)).toEqual(none);
  const site = await openSite({ "/": '<meta name="theme-color" content="url(javascript:1)">' });
  await make(scope, [{ url: `${site}/` }]);
  expect(await suggestBranding(scope)).toEqual(none);
  const member = await joinTestScope(scope, "looker", "member");
  await expect(suggestBranding(member)).rejects.toMatchObject({ code: "forbidden" });
});
