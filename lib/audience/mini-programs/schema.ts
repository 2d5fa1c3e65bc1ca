/** Limits of getwxacodeunlimit, developers.weixin.qq.com. */
import { z } from "zod";

const pixelsMin = 280;
const pixelsMax = 1_280;

export const programCodeQuery = z.object({
  width: z.coerce
    .number()
    .int()
    .min(pixelsMin)
    .max(pixelsMax)
    .default(pixelsMax)
    .describe("In pixels."),
});
