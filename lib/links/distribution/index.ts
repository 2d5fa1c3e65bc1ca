export { areLinksApart, chooseForm, onlyApart } from "./known.ts";
export { holdMoves, withoutMoves } from "./moves.ts";
export { orderOfBlock } from "./order.ts";
