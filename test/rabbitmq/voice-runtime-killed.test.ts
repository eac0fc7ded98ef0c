import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { DeepgramStandIn } from '../../packages/voice/test/stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../../packages/voice/test/stand-ins/elevenlabs/elevenlabs-stand-in';
import { TelnyxStandIn } from '../../packages/voice/test/stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from '../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { createAgent } from '../support/agents';
import { Child } from '../support/child';
import { useParley } from '../support/parley';
import { rabbitmqUrl, withChannel } from '../support/rabbitmq';
import { until } from '../support/until';

const LEASE_SECONDS = 3;
const parley = useParley({ LEASE_SECONDS: `${LEASE_SECONDS}` });

/** Ports that nobody uses, and that are not the same. */
async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createTcpServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** A proxy before several processes, which takes the first one that accepts connections. */
async function startProxy(ports: number[]) {
  const server = createTcpServer((client) => {
    const join = ([port, ...others]: number[]) => {
      if (port === undefined) return void client.destroy();
      const upstream = connect(port, '127.0.0.1');
      let isConnected = false;
      upstream.once('connect', () => {
        isConnected = true;
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => (isConnected ? client.destroy() : join(others)));
      upstream.on('close', () => isConnected && client.destroy());
      client.on('close', () => upstream.destroy());
    };
    client.on('error', () => undefined);
    join(ports);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** The port of the process that a call's callbacks name. */
function findHolder({ callbackUrl }: { callbackUrl: string }): number {
  const [, name = ''] = /\/voice\/at\/([^.]+)\./.exec(callbackUrl) ?? [];
  return Number(new URL(Buffer.from(name, 'base64url').toString()).port);
}

const hasPhoneQueue = () =>
  withChannel((channel) => {
    // RabbitMQ closes the channel if there is no such queue yet.
    channel.on('error', () => undefined);
    return channel.checkQueue(parley.topology.callsQueue.replace('default', 'phonecall'));
  }).then(
    () => true,
    () => false,
  );

const carriers = {
  twilio: async () => {
    const standIn = await TwilioStandIn.listen();
    const { apiUrl: TWILIO_API_URL, accountSid, authToken, number: TWILIO_NUMBER } = standIn;
    const keys = { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken };
    return { standIn, settings: { TWILIO_API_URL, TWILIO_NUMBER, ...keys } };
  },
  telnyx: async () => {
    const standIn = await TelnyxStandIn.listen();
    const { apiUrl: TELNYX_API_URL, apiKey, publicKey, connectionId, number: TELNYX_NUMBER } = standIn;
    const keys = { TELNYX_API_KEY: apiKey, TELNYX_PUBLIC_KEY: publicKey, TELNYX_CONNECTION_ID: connectionId };
    return { standIn, settings: { TELNYX_API_URL, TELNYX_NUMBER, ...keys } };
  },
};

test.each(['twilio', 'telnyx'] as const)(
  'a runtime that is killed in a call with %s leaves no call open, neither at the carrier nor in the record',
  async (name) => {
    const { standIn, settings } = await carriers[name]();
    const [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
    const ports = await findPorts(2);
    // The public address leads to the first one, and to the second one if the first one is gone.
    const proxy = await startProxy(ports);
    const start = (port: number) =>
      new Child('packages/voice/src/cli.ts', {
        ...{ ...settings, VOICE_CARRIER: name, VOICE_PORT: `${port}`, VOICE_DRAIN_SECONDS: '0' },
        ...{
          RABBITMQ_URL: rabbitmqUrl ?? '',
          BROKER_PREFIX: parley.topology.callsQueue.replace('.calls.default', ''),
        },
        VOICE_PUBLIC_URL: proxy.url,
        VOICE_PEER_URL: `http://127.0.0.1:${port}`,
        VOICE_PEER_SECRET: 'a secret that both of them share',
        ...{ DEEPGRAM_API_KEY: deepgram.apiKey, DEEPGRAM_BASE_URL: deepgram.baseUrl },
        ...{ ELEVENLABS_API_KEY: elevenlabs.apiKey, ELEVENLABS_BASE_URL: elevenlabs.baseUrl },
      });
    const isUp = async (port: number, child: Child) => {
      const answers = until(async () => {
        const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
        return response?.ok;
      });
      const hasEnded = child.ended.then(() => {
        throw new Error(`The runtime ended: ${child.output}`);
      });
      hasEnded.catch(() => undefined);
      await Promise.race([answers, hasEnded]);
    };
    const children = new Map(ports.map((port) => [port, start(port)]));
    try {
      for (const [port, child] of children) await isUp(port, child);
      await until(hasPhoneQueue);
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace, { greeting: 'Hello, this is the front desk.' });
      const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, {
        to_number: '+15551234567',
      });
      const { conversation_id: callId } = body.data as { conversation_id: string };
      const call = await until(() => standIn.calls[0]);
      await until(() => call.handset?.heardSound);

      await children.get(findHolder(call))?.kill();
      await until(() => call.isOver, LEASE_SECONDS * 1_000);
      const shown = await until(async () => {
        const answer = await workspace.api.get(`/api/calls/${callId}`);
        const read = answer.body.data as { status: string; disconnect_reason: string };
        return ['disconnected', 'failed'].includes(read.status) && read;
      });
      expect(shown.disconnect_reason).toBe('worker_lost');
      expect(standIn.calls).toHaveLength(1);
    } finally {
      proxy.close();
      for (const child of children.values()) await child.kill();
      await standIn.close();
      deepgram.close();
      elevenlabs.close();
    }
  },
);
