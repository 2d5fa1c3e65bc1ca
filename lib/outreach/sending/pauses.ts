/** When gateways are asked about messages whose response was lost. */

/** Before the first question: the message may be on its way through the gateway. */
export const firstQuestionSeconds = 120;
/** After each question; the last one has none. */
export const pausesSeconds: readonly number[] = [300, 1_800, 7_200, 43_200];
