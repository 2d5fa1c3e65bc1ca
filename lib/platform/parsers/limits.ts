/** The limits of the processes that parse documents of strangers. */

/** Long documents never take the last process: an image does not wait for a file with a million rows. */
export const lanes = {
  quick: { runningMax: 1, waitingMax: 64, waitingPerGroupMax: 32 },
  long: { runningMax: 1, waitingMax: 128, waitingPerGroupMax: 32 },
};

/** Of a child, with the memory that decoded images take outside of its heap. */
export const rssBytesMax = 512 * 1_048_576;
export const heapMegabytesMax = 256;
/** When no document came for so long, children are ended, except for those that are kept warm. */
export const idleMs = 60_000;
/** For a child that is stopped, or gets no CPU time at all: nothing is said about its document. */
export const wallMsMax = 600_000;
/** How often a child compares its CPU time and memory with its limits. */
export const checkMs = 10;
