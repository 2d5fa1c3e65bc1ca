/** Whether a reply means that its sender wants no more messages. Pure. */

/** As in messages of carriers in mainland China and elsewhere. */
const words: ReadonlySet<string> = new Set([
  "R",
  "T",
  "TD",
  "N",
  "STOP",
  "STOPALL",
  "UNSUBSCRIBE",
  "CANCEL",
  "END",
  "QUIT",
  "OPTOUT",
  "REVOKE",
  "退订",
  "退",
  "拒收",
  "拒收请回复R",
  "回复R",
  "取消",
  "不要再发",
  "取消订阅",
]);

export function isOptOutReply(text: string): boolean {
  // Full-width letters are letters; marks, spaces and emoji around a word do not matter.
  const plain = text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return words.has(plain);
}
