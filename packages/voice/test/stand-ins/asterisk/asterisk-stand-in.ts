import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Person } from '../phone/handset';
import { CarrierServer } from '../phone/carrier-server';
import type { IncomingCall, PhoneStandIn } from '../phone/phone-stand-in';
import { AsteriskChannel, MediaChannel } from './channels';

type Answer = [status: number, body?: object];
const refuse = (status: number, message: string): Answer => [status, { message }];

/** The REST interface, the events and the WebSocket channel of Asterisk, as its documents say. */
export class AsteriskStandIn extends CarrierServer implements PhoneStandIn {
  readonly username = 'parley';
  readonly password = 'secret-1';
  readonly app = 'parley';
  readonly number = '+15550100000';
  readonly calls: AsteriskChannel[] = [];
  /** The address of the connection `parley` in `websocket_client.conf`. */
  webhookUrl = '';
  maxCalls = Infinity;
  private readonly media = new Map<string, MediaChannel>();
  private readonly bridges = new Map<string, Set<string>>();
  private readonly sockets = new WebSocketServer({ noServer: true });
  private events?: WebSocket;

  private constructor() {
    super();
    this.server.on('request', (request, response) => {
      void this.answer(request).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body && JSON.stringify(body));
      });
    });
    this.server.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
      const url = new URL(request.url ?? '', this.apiUrl);
      if (
        url.pathname !== '/ari/events' ||
        url.searchParams.get('app') !== this.app ||
        !this.isAllowed(request)
      )
        return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        this.events?.send(JSON.stringify({ type: 'ApplicationReplaced', application: this.app }));
        this.events = client;
      });
    });
  }

  static listen(): Promise<AsteriskStandIn> {
    return new AsteriskStandIn().begin();
  }

  get isConnected(): boolean {
    return this.events?.readyState === 1;
  }

  async ringIn({ to, from, person = {} }: IncomingCall): Promise<AsteriskChannel> {
    const channel = this.createChannel(randomUUID(), to, from, person);
    channel.state = 'Ring';
    this.emit('StasisStart', channel, { args: [] });
    await channel.settled;
    return channel;
  }

  /** A call in the application whose program is gone. */
  leave(to: string): AsteriskChannel {
    const channel = this.createChannel(randomUUID(), to, this.number, {});
    channel.state = 'Up';
    return channel;
  }

  /** The connection of the events is lost. */
  loseEvents(): void {
    this.events?.terminate();
    this.events = undefined;
  }

  async close(): Promise<void> {
    for (const channel of this.calls) channel.destroy(16, 'carrier');
    for (const channel of this.media.values()) channel.close();
    this.events?.terminate();
    this.end();
    await Promise.resolve();
  }

  private isAllowed({ headers }: IncomingMessage): boolean {
    const own = Buffer.from(`${this.username}:${this.password}`).toString('base64');
    return headers.authorization === `Basic ${own}`;
  }

  private emit(type: string, channel: AsteriskChannel | MediaChannel, more: object = {}): void {
    if (!this.isConnected) return;
    const timestamp = new Date().toISOString();
    const event = { type, application: this.app, timestamp, channel: channel.describe(), ...more };
    this.events?.send(JSON.stringify(event));
  }

  private createChannel(id: string, to: string, from: string, person: Person): AsteriskChannel {
    const channel: AsteriskChannel = new AsteriskChannel(id, to, from, person, this.ticks, {
      app: this.app,
      emit: (type, more) => this.emit(type, channel, more),
      media: () => this.findMedia(channel),
      gone: () => {
        for (const members of this.bridges.values()) members.delete(channel.id);
      },
    });
    this.calls.push(channel);
    return channel;
  }

  /** The channel of the audio in the same bridge. Without a bridge, nothing is heard. */
  private findMedia({ id }: AsteriskChannel): MediaChannel | undefined {
    const members = [...this.bridges.values()].find((each) => each.has(id));
    return [...(members ?? [])].map((member) => this.media.get(member)).findLast((found) => found?.isOpen);
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    if (!this.isAllowed(request)) return refuse(401, 'Unauthorized');
    const { pathname, searchParams: query } = new URL(request.url ?? '', this.apiUrl);
    const [, , room, id, action] = pathname.split('/').map(decodeURIComponent);
    const verb = `${request.method} ${room}`;
    if (verb === 'GET channels' && id === undefined)
      return [200, this.calls.filter(({ isOver }) => !isOver).map((channel) => channel.describe())];
    if (verb === 'POST channels' && id === undefined) return this.originate(query, text);
    if (verb === 'POST channels' && id === 'externalMedia') return this.openMedia(query);
    if (verb === 'POST bridges' && id === undefined) return this.openBridge(query);
    if (verb === 'POST bridges' && action === 'addChannel')
      return this.join(id ?? '', query.get('channel') ?? '');
    const media = this.media.get(id ?? '');
    if (media && request.method === 'DELETE') {
      media.close();
      return [204];
    }
    const channel = this.calls.find((each) => each.id === id && !each.isOver);
    if (!channel) return refuse(404, 'Channel not found');
    if (request.method === 'GET') return [200, channel.describe()];
    return channel.command(request.method ?? '', action ?? '', query);
  }

  private originate(query: URLSearchParams, text: string): Answer {
    const [, to = ''] = /^PJSIP\/(\+?\d+)@trunk$/.exec(query.get('endpoint') ?? '') ?? [];
    if (to === '') return refuse(400, 'Invalid endpoint specified');
    if (query.get('app') !== this.app) return refuse(400, 'Application or extension must be specified');
    const { variables = {} } = JSON.parse(text || '{}') as { variables?: Record<string, string> };
    if (Object.values(variables).some((value) => typeof value !== 'string'))
      return refuse(400, 'Invalid variables');
    const id = query.get('channelId') ?? randomUUID();
    if (this.calls.some((call) => call.id === id))
      return refuse(409, 'Channel with given unique ID already exists');
    if (this.calls.filter(({ isOver }) => !isOver).length >= this.maxCalls)
      return refuse(500, 'Allocation failed');
    const channel = this.createChannel(id, to, query.get('callerId') ?? '', this.people.get(to) ?? {});
    setImmediate(() => channel.dial());
    return [200, channel.describe()];
  }

  private openMedia(query: URLSearchParams): Answer {
    const wanted = {
      transport: 'websocket',
      encapsulation: 'none',
      connection_type: 'client',
      direction: 'both',
    };
    for (const [name, value] of Object.entries(wanted))
      if (query.get(name) !== value) return refuse(400, `${name} must be ${value}`);
    if (query.get('external_host') !== 'parley') return refuse(400, 'There is no such websocket client');
    if (query.get('format') !== 'ulaw') return refuse(422, 'Invalid format');
    const id = query.get('channelId') ?? randomUUID();
    const [, variables = ''] = /^v\(([^)]*)\)$/.exec(query.get('transport_data') ?? '') ?? [];
    const url = new URL(this.webhookUrl);
    for (const pair of variables.split(',')) {
      const [name = '', value = ''] = pair.split('=');
      url.searchParams.set(name, value);
    }
    const channel: MediaChannel = new MediaChannel(id, url.href, {
      started: () => this.emit('StasisStart', channel, { args: [] }),
      closed: () => this.emit('ChannelDestroyed', channel, { cause: 16, cause_txt: 'Normal Clearing' }),
      flushed: () => this.findPerson(id)?.handset?.clears.push(performance.now()),
      complain: (sentence) => this.findPerson(id)?.complaints.push(sentence),
    });
    this.media.set(id, channel);
    return [200, channel.describe()];
  }

  private findPerson(media: string): AsteriskChannel | undefined {
    const members = [...this.bridges.values()].find((each) => each.has(media));
    return this.calls.find(({ id }) => members?.has(id));
  }

  private openBridge(query: URLSearchParams): Answer {
    if (query.get('type') !== 'mixing') return refuse(400, 'Invalid type');
    const id = query.get('bridgeId') ?? randomUUID();
    if (!this.bridges.has(id)) this.bridges.set(id, new Set());
    return [200, { id, bridge_type: 'mixing' }];
  }

  private join(bridge: string, channels: string): Answer {
    const members = this.bridges.get(bridge);
    if (!members) return refuse(404, 'Bridge not found');
    for (const id of channels.split(',')) {
      const call = this.calls.find((each) => each.id === id && !each.isOver);
      if (!call && !this.media.has(id)) return refuse(400, 'Channel not found');
      if (call && call.state !== 'Up') return refuse(422, 'Channel not in Stasis application');
      members.add(id);
    }
    const person = this.calls.find(({ id }) => members.has(id));
    if (person) person.streams++;
    return [204];
  }
}
