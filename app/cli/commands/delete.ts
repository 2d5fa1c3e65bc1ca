import { CliFailure } from "../failures.ts";
import { findLink } from "../links.ts";
import { type Session, take, writeJson, writeNote } from "../session.ts";
import { plain, readAnswer } from "../terminal.ts";

export async function deleteLink(
  session: Session,
  named: string,
  { yes }: { yes?: boolean },
): Promise<void> {
  const { id, shortLink, url } = await findLink(session, named);
  if (!yes) await confirm(session, `Delete ${shortLink} → ${plain(url)}? It stops working. [y/N] `);
  const deleted = await take(session.fuxi.DELETE("/api/links/{id}", { params: { path: { id } } }));
  if (session.json) writeJson(session, deleted);
  writeNote(session, `Deleted ${shortLink}`);
}

async function confirm({ terminal }: Session, question: string): Promise<void> {
  if (!terminal.stdin.isTTY) {
    throw new CliFailure("usage", "Add --yes to delete without confirmation.");
  }
  const answer = await readAnswer(terminal, question);
  if (!answer || !/^y(es)?$/i.test(answer)) throw new CliFailure("usage", "Nothing was deleted.");
}
