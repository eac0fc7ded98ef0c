import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';
import { nameServers } from '../../src/platform/outbound-http/public-names';

/** Response codes. */
const SERVER_FAILURE = 2;
const UNKNOWN_NAME = 3;

/** The answers for a name: the addresses of the first answer, the second and so on. */
export type Meaning = string[][] | 'failure' | 'silence';

/** A name server that all of this process uses until it is stopped. */
export class NameServer {
  /** Each requested name and type. */
  readonly questions: string[] = [];
  private readonly defaultServers = nameServers.getServers();

  private constructor(
    private readonly socket: Socket,
    private readonly names: Record<string, Meaning>,
  ) {}

  static async start(names: Record<string, Meaning>): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket, names);
    socket.on('message', (message, { port, address }) => {
      const answer = server.answerTo(message);
      if (answer) socket.send(answer, port, address);
    });
    const { port } = socket.address();
    nameServers.setServers([`127.0.0.1:${port}`]);
    return server;
  }

  async stop(): Promise<void> {
    nameServers.cancel();
    nameServers.setServers(this.defaultServers);
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answerTo(message: Buffer): Buffer | undefined {
    const { id, questions = [] } = decode(message);
    const [{ name, type } = { name: '', type: '' }] = questions;
    const previous = this.questions.filter((question) => question === `${name} ${type}`).length;
    this.questions.push(`${name} ${type}`);
    const meaning = this.names[name] ?? [];
    if (meaning === 'silence') return undefined;
    const respond = (flags: number, answers: Answer[]) =>
      encode({ type: 'response', id, flags: AUTHORITATIVE_ANSWER | flags, questions, answers });
    if (meaning === 'failure') return respond(SERVER_FAILURE, []);
    const addresses = meaning[Math.min(previous, meaning.length - 1)];
    if (!addresses) return respond(UNKNOWN_NAME, []);
    const answers = addresses.flatMap((data): Answer[] => {
      const typeOf = data.includes(':') ? 'AAAA' : 'A';
      return typeOf === type ? [{ name, type: typeOf, ttl: 0, data }] : [];
    });
    return respond(0, answers);
  }
}
