import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { CarrierServer, UNREACHABLE } from '../phone/carrier-server';
import type { IncomingCall, PhoneStandIn } from '../phone/phone-stand-in';
import { AsteriskChannel, type ChannelOfCall, MediaChannel } from './channels';

type Answer = [status: number, body?: object];
const refuse = (status: number, message: string): Answer => [status, { message }];

interface Bridge {
  id: string;
  name: string;
  members: Set<string>;
}
const describeBridge = ({ id, name, members }: Bridge) => ({
  ...{ id, name, bridge_type: 'mixing', bridge_class: 'stasis', technology: 'simple_bridge' },
  channels: [...members],
});

/** The documented parameters of each request. */
const PARAMETERS: Record<string, string[]> = {
  'POST channels': [
    ...['endpoint', 'extension', 'context', 'priority', 'label', 'app', 'appArgs', 'callerId', 'timeout'],
    ...['channelId', 'otherChannelId', 'originator', 'formats'],
  ],
  'POST channels externalMedia': [
    ...['channelId', 'app', 'external_host', 'encapsulation', 'transport', 'connection_type', 'format'],
    ...['direction', 'data', 'transport_data'],
  ],
  'DELETE channels *': ['reason_code', 'reason'],
  'POST channels * variable': ['variable', 'value', 'bypassStasis'],
  'POST channels * dtmf': ['dtmf', 'before', 'between', 'duration', 'after'],
  'POST channels * continue': ['context', 'extension', 'priority', 'label'],
  'POST bridges': ['type', 'bridgeId', 'name'],
  'POST bridges * addChannel': ['channel', 'role', 'absorbDTMF', 'mute', 'inhibitConnectedLineUpdates'],
  'POST applications * subscription': ['eventSource'],
};

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
  readonly bridges = new Map<string, Bridge>();
  private readonly sockets = new WebSocketServer({ noServer: true });
  /** By the name of the application. */
  private readonly programs = new Map<string, WebSocket>();

  private constructor() {
    super();
    this.serve((request) => this.answer(request));
    this.server.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
      const url = new URL(request.url ?? '', this.apiUrl);
      const apps = (url.searchParams.get('app') ?? '').split(',').filter((app) => app !== '');
      if (url.pathname !== '/ari/events' || apps.length === 0 || !this.isAllowed(request))
        return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        for (const app of apps) {
          this.programs.get(app)?.send(JSON.stringify({ type: 'ApplicationReplaced', application: app }));
          this.programs.set(app, client);
        }
      });
    });
  }

  static listen(): Promise<AsteriskStandIn> {
    return new AsteriskStandIn().begin();
  }

  get isConnected(): boolean {
    return this.isActive(this.app);
  }

  async ringIn({ to, from, person = {} }: IncomingCall): Promise<AsteriskChannel> {
    const channel = this.createChannel(randomUUID(), { to, from, app: this.app, person });
    channel.state = 'Ring';
    channel.enter();
    await channel.settled;
    return channel;
  }

  /** An incoming call whose program died before it did anything. */
  leave(to: string): AsteriskChannel {
    const channel = this.createChannel(randomUUID(), { to, from: this.number, app: this.app, person: {} });
    channel.state = 'Ring';
    channel.isInStasis = true;
    return channel;
  }

  /** The connections of the events are lost. */
  loseEvents(): void {
    for (const client of this.programs.values()) client.terminate();
    this.programs.clear();
  }

  async close(): Promise<void> {
    for (const channel of this.calls) channel.destroy(16, 'carrier');
    for (const channel of this.media.values()) channel.close();
    this.loseEvents();
    this.end();
    await Promise.resolve();
  }

  private isAllowed({ headers }: IncomingMessage): boolean {
    const own = Buffer.from(`${this.username}:${this.password}`).toString('base64');
    return headers.authorization === `Basic ${own}`;
  }

  private isActive(app: string): boolean {
    return this.programs.get(app)?.readyState === 1;
  }

  /** Each application that has subscribed to the channel gets the event. */
  private emit(type: string, channel: AsteriskChannel | MediaChannel, more: object = {}): void {
    const timestamp = new Date().toISOString();
    const apps = type === 'StasisStart' ? [channel.app] : channel.subscribers;
    for (const application of apps) {
      const event = { type, application, timestamp, channel: channel.describe(), ...more };
      if (this.isActive(application)) this.programs.get(application)?.send(JSON.stringify(event));
    }
  }

  private createChannel(id: string, call: ChannelOfCall): AsteriskChannel {
    const channel: AsteriskChannel = new AsteriskChannel(id, call, this.ticks, {
      isActive: () => this.isActive(call.app),
      emit: (type, more) => this.emit(type, channel, more),
      dialled: (dialstatus, more = { peer: channel.describe() }) =>
        this.emit('Dial', channel, { dialstatus, ...more, channel: undefined }),
      media: () => this.findMedia(channel),
      gone: () => {
        for (const { members } of this.bridges.values()) members.delete(channel.id);
      },
    });
    this.calls.push(channel);
    return channel;
  }

  /** The channel of the audio in the same bridge. Without a bridge, nothing is heard. */
  private findMedia({ id }: AsteriskChannel): MediaChannel | undefined {
    const { members } = [...this.bridges.values()].find((each) => each.members.has(id)) ?? {};
    return [...(members ?? [])].map((member) => this.media.get(member)).findLast((found) => found?.isOpen);
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    if (!this.isAllowed(request)) return refuse(401, 'Unauthorized');
    const { pathname, searchParams: query } = new URL(request.url ?? '', this.apiUrl);
    const [, , room, id, action] = pathname.split('/').map(decodeURIComponent);
    const verb = `${request.method} ${room}`;
    const known =
      PARAMETERS[
        [verb, ...(id === undefined ? [] : [id === 'externalMedia' ? id : '*']), action].join(' ').trim()
      ];
    const unknown = [...query.keys()].find((name) => !known?.includes(name));
    if (unknown !== undefined) return refuse(400, `There is no parameter ${unknown}`);
    if (verb === 'GET channels' && id === undefined)
      return [200, this.calls.filter(({ isOver }) => !isOver).map((channel) => channel.describe())];
    if (verb === 'POST channels' && id === undefined) return this.originate(query, text);
    if (verb === 'POST channels' && id === 'externalMedia') return this.openMedia(query);
    if (verb === 'POST bridges' && id === undefined) return this.openBridge(query);
    if (verb === 'GET bridges' && id === undefined)
      return [200, [...this.bridges.values()].map(describeBridge)];
    if (verb === 'DELETE bridges')
      return this.bridges.delete(id ?? '') ? [204] : refuse(404, 'Bridge not found');
    if (verb === 'POST applications' && action === 'subscription')
      return this.subscribe(id ?? '', query.get('eventSource') ?? '');
    if (verb === 'POST bridges' && action === 'addChannel')
      return this.join(id ?? '', query.get('channel') ?? '');
    const media = this.media.get(id ?? '');
    if (media && !media.isClosed && request.method === 'DELETE') {
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
    const app = query.get('app') ?? '';
    if (app === '') return refuse(400, 'Application or extension must be specified');
    if (!/^(-1|\d+)$/.test(query.get('timeout') ?? '30')) return refuse(400, 'Invalid timeout');
    const { variables = {} } = JSON.parse(text || '{}') as { variables?: Record<string, string> };
    if (Object.values(variables).some((value) => typeof value !== 'string'))
      return refuse(400, 'Invalid variables');
    const id = query.get('channelId') ?? randomUUID();
    if (this.calls.some((call) => call.id === id))
      return refuse(409, 'Channel with given unique ID already exists');
    const isFull = this.calls.filter(({ isOver }) => !isOver).length >= this.maxCalls;
    const from = query.get('callerId') ?? '';
    const channel = this.createChannel(id, { to, from, app, person: this.people.get(to) ?? {} });
    channel.subscribers.add(app);
    const { 'TIMEOUT(absolute)': limit } = variables;
    if (limit !== undefined) channel.limit(limit);
    const timeout = Number(query.get('timeout') ?? '30');
    // A full trunk is known once it was asked: it answers with SIP 503.
    setImmediate(() => (isFull ? channel.destroy(34, 'carrier') : channel.dial(timeout)));
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
    const app = query.get('app') ?? '';
    if (app === '') return refuse(400, 'app is required');
    const id = query.get('channelId') ?? randomUUID();
    if (this.media.has(id)) return refuse(409, 'Channel with given unique ID already exists');
    const [, variables = ''] = /^v\(([^)]*)\)$/.exec(query.get('transport_data') ?? '') ?? [];
    const url = new URL(this.isCutOff ? UNREACHABLE : this.webhookUrl);
    for (const pair of variables.split(',')) {
      const [name = '', value = ''] = pair.split('=');
      url.searchParams.set(name, value);
    }
    const channel: MediaChannel = new MediaChannel(id, app, url.href, {
      started: () => this.emit('StasisStart', channel, { args: [] }),
      closed: (wasOpen) => {
        const end = wasOpen
          ? { cause: 16, cause_txt: 'Normal Clearing' }
          : { cause: 0, cause_txt: 'Unknown' };
        this.emit('ChannelDestroyed', channel, end);
      },
      flushed: () => this.findPerson(id)?.handset?.clears.push(performance.now()),
      complain: (sentence) => this.findPerson(id)?.complaints.push(sentence),
    });
    this.media.set(id, channel);
    return [200, channel.describe()];
  }

  private findPerson(media: string): AsteriskChannel | undefined {
    const { members } = [...this.bridges.values()].find((each) => each.members.has(media)) ?? {};
    return this.calls.find(({ id }) => members?.has(id));
  }

  private openBridge(query: URLSearchParams): Answer {
    if (query.get('type') !== 'mixing') return refuse(400, 'Invalid type');
    const id = query.get('bridgeId') ?? randomUUID();
    if (this.bridges.has(id)) return refuse(409, 'Bridge with the same bridgeId already exists');
    const bridge = { id, name: query.get('name') ?? '', members: new Set<string>() };
    this.bridges.set(id, bridge);
    return [200, describeBridge(bridge)];
  }

  private subscribe(app: string, source: string): Answer {
    if (!this.programs.has(app)) return refuse(404, 'Application does not exist');
    const [, id] = /^channel:(.+)$/.exec(source) ?? [];
    if (id === undefined) return refuse(400, 'Missing parameter');
    const channel = this.calls.find((each) => each.id === id && !each.isOver);
    if (!channel) return refuse(422, 'Event source does not exist');
    channel.subscribers.add(app);
    channel.asked.add(app);
    return [200, { name: app, channel_ids: [id] }];
  }

  private join(bridge: string, channels: string): Answer {
    const members = this.bridges.get(bridge)?.members;
    if (!members) return refuse(404, 'Bridge not found');
    for (const id of channels.split(',')) {
      const call = this.calls.find((each) => each.id === id && !each.isOver);
      const media = this.media.get(id);
      if (!call && (!media || media.isClosed)) return refuse(400, 'Channel not found');
      if (call && !call.isInStasis) return refuse(422, 'Channel not in Stasis application');
      members.add(id);
    }
    const person = this.calls.find(({ id }) => members.has(id));
    if (person) person.streams++;
    return [204];
  }
}
