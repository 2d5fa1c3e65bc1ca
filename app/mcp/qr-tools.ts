/** The tool for QR codes. */
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { pictureWidthMin } from "#lib/outreach/qr/schema";
import type { Fuxi } from "../sdk/index.ts";
import { answeringWithImage, dataOf } from "./answers.ts";
import { findLink, linkReference } from "./link-answers.ts";

const pixelsDefault = 512;
/** An image is part of the answer; the URL has any size. */
const pixelsMax = 1_024;

export function addQrTools(server: McpServer, fuxi: Fuxi): void {
  server.registerTool(
    "get_qr_code",
    {
      title: "Get the QR code of a link",
      description:
        "Returns the QR code of a link as a PNG image and as a URL for web pages and emails. Visits through it count as QR scans.",
      inputSchema: z.object({
        link: linkReference,
        size: z
          .int()
          .min(pictureWidthMin)
          .max(pixelsMax)
          .default(pixelsDefault)
          .describe("Width in pixels."),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    answeringWithImage(async ({ link, size }) => {
      const { id, shortLink, qrCode } = await findLink(fuxi, link);
      const params = { path: { id }, query: { format: "png", size } } as const;
      const image = fuxi.GET("/api/links/{id}/qr", { params, parseAs: "arrayBuffer" });
      const png = new Uint8Array(await dataOf<ArrayBuffer>(image));
      return { answer: { shortLink, imageUrl: qrCode }, png };
    }),
  );
}
