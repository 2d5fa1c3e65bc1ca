/** Links on several servers (prisma/distribute.ts). */
export { areLinksApart } from "./known.ts";
export { holdMoves, withoutMoves } from "./moves.ts";
export { orderOfBlock } from "./order.ts";
