import net from 'node:net';

/**
 * A mail server that can misbehave as real ones do. `lose`: it takes the letter and never says so,
 * which to the sender is a timeout after sending. `repeat`: it says twice that it took it.
 */
export type SmtpMood = 'take' | 'repeat' | 'lose' | 'busy' | 'unknown-address' | 'bad-content';

export interface SmtpSandbox {
  url: string;
  mood: SmtpMood;
  /** Letters as they came, headers and text. */
  letters: string[];
  close(): Promise<void>;
}

export async function startSmtpSandbox(): Promise<SmtpSandbox> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A sender that gives up resets the connection.
    socket.on('error', () => socket.destroy());
    serve(sandbox, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sandbox: SmtpSandbox = {
    url: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    mood: 'take',
    letters: [],
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sandbox;
}

function serve(sandbox: SmtpSandbox, socket: net.Socket): void {
  const say = (line: string): void => {
    socket.write(`${line}\r\n`);
  };
  let letter: string | null = null;
  let pending = '';
  say(sandbox.mood === 'busy' ? '421 4.3.2 try again later' : '220 sandbox');
  socket.on('data', (chunk) => {
    pending += chunk.toString('utf8');
    for (;;) {
      const end = letter === null ? pending.indexOf('\r\n') : pending.indexOf('\r\n.\r\n');
      if (end < 0) return;
      const text = pending.slice(0, end);
      pending = pending.slice(end + (letter === null ? 2 : 5));
      if (letter === null) letter = answer(sandbox, text, say);
      else {
        letter = null;
        take(sandbox, text, say);
      }
    }
  });
}

/** Answers a command; text instead of null means that a letter follows. */
function answer(sandbox: SmtpSandbox, command: string, say: (line: string) => void): string | null {
  const verb = command.slice(0, 4).toUpperCase();
  if (verb === 'RCPT' && sandbox.mood === 'unknown-address') {
    say(`550 5.1.1 ${command.slice(8)}: nobody here`);
  } else if (verb === 'DATA') {
    say('354 go on');
    return '';
  } else say(verb === 'QUIT' ? '221 bye' : '250 fine');
  return null;
}

function take(sandbox: SmtpSandbox, letter: string, say: (line: string) => void): void {
  if (sandbox.mood === 'bad-content') {
    say('554 5.6.0 not taken');
    return;
  }
  sandbox.letters.push(letter);
  if (sandbox.mood === 'lose') return;
  say('250 taken');
  if (sandbox.mood === 'repeat') say('250 taken');
}
