import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** The bytes of a frame that closes a WebSocket as refused, with the status 1008. */
const CLOSED_AS_REFUSED = '880203f0';

const MAX_PARTS = 200;

/** A media stream as somebody on its way could record it, and send it again. */
export class RecordedStream {
  private readonly parts: Buffer[] = [];
  private readonly port: number;

  constructor(
    private readonly request: IncomingMessage,
    socket: Duplex,
  ) {
    this.port = request.socket.localPort ?? 0;
    // The WebSocket decodes the bytes in their place, so they are copied before.
    socket.prependListener('data', (part: Buffer) => {
      if (this.parts.length < MAX_PARTS) this.parts.push(Buffer.from(part));
    });
  }

  /** Sends all that was recorded so far. @returns whether it was refused, and nothing else came back */
  async isRefusedAgain(): Promise<boolean> {
    const { url, rawHeaders } = this.request;
    const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    const sent = connect(this.port, '127.0.0.1');
    sent.write(`GET ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    for (const part of this.parts) sent.write(part);
    const answer: Buffer[] = [];
    sent.on('data', (part: Buffer) => {
      answer.push(part);
      // The other side waits for the answer to its closing frame.
      if (part.toString('hex').endsWith(CLOSED_AS_REFUSED)) sent.destroy();
    });
    sent.on('error', () => undefined);
    await once(sent, 'close');
    const [head = '', body = ''] = Buffer.concat(answer).toString('latin1').split('\r\n\r\n');
    if (head.startsWith('HTTP/1.1 403')) return body === '';
    return (
      head.startsWith('HTTP/1.1 101') && Buffer.from(body, 'latin1').toString('hex') === CLOSED_AS_REFUSED
    );
  }
}
