/** The part of SMTP that a client needs to deliver an email. */
import { createServer, type Socket } from "node:net";

/** What follows a message. `silent`: the connection ends without an answer. */
export type MailAnswer = "taken" | "later" | "refused" | "silent";

export interface MailServer {
  url: string;
  port: number;
  /** Everything that clients sent before and after the messages. */
  commands: string[];
  messages: string[];
  /** Asked after each message. */
  decide: () => MailAnswer;
  close: () => Promise<void>;
}

const answers = { taken: "250 ok\r\n", later: "451 later\r\n", refused: "554 no\r\n" };

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write("220 test\r\n");
    serve(socket, mail);
  });
  const mail: MailServer = {
    url: "",
    port: 0,
    commands: [],
    messages: [],
    decide: () => "taken",
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  mail.port = typeof address === "object" && address ? address.port : 0;
  mail.url = `smtp://127.0.0.1:${mail.port}`;
  return mail;
}

function serve(socket: Socket, mail: MailServer): void {
  let message: string | undefined;
  socket.on("data", (chunk) => {
    const text = chunk.toString();
    if (message === undefined) {
      mail.commands.push(text);
      if (text.startsWith("DATA")) message = "";
      socket.write(replyTo(text));
      return;
    }
    message += text;
    if (!message.endsWith("\r\n.\r\n")) return;
    mail.messages.push(message);
    message = undefined;
    const answer = mail.decide();
    if (answer === "silent") socket.destroy();
    else socket.write(answers[answer]);
  });
}

function replyTo(text: string): string {
  if (text.startsWith("DATA")) return "354 go on\r\n";
  return text.startsWith("QUIT") ? "221 bye\r\n" : "250 ok\r\n";
}
