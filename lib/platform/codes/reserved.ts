/** First segments of the dashboard, reserved on every domain, so that links can move. */
const reservedSegments = new Set(
  wordsIn(`
  admin app api signin signup signout invite reset verify docs pricing legal share report appeal
  optout cli.tgz extension.zip status metrics healthz readyz _next favicon.ico icon.svg
  apple-icon.png manifest.webmanifest robots.txt sitemap.xml .well-known
  apple-app-site-association
`),
);

const wechatFile = /^mp_verify_[a-z0-9]{16}\.txt$/;

/** Offensive in a generated code, in any case and with digits for letters. */
const blockedWords = wordsIn(`
  anal anus arse ass bitch boob butt cock coon crap cum cunt damn dick dildo dyke fag fck fuck
  gook homo jap jew jizz kike kkk nazi negro nigg paki penis piss poop porn prick pussy rape sex
  shit slut spic suck tit turd twat vagina wank whore
`);

const letterOf: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
};

/** Ignores case, because old browsers fold it. */
export function isReservedSegment(segment: string): boolean {
  const folded = segment.toLowerCase();
  // defence: wechat-file-paths-reserved
  return reservedSegments.has(folded) || wechatFile.test(folded);
}

export function isAllowedCode(code: string): boolean {
  if (isReservedSegment(code)) return false;
  const word = code.toLowerCase().replace(/[013457]/g, (digit) => letterOf[digit] ?? digit);
  return !blockedWords.some((blocked) => word.includes(blocked));
}

function wordsIn(text: string): string[] {
  return text.trim().split(/\s+/);
}
