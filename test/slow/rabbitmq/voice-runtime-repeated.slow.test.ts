import { PeerOffers, Peers, VoiceProcess } from '@parley/voice';
import { DeepgramStandIn } from '../../../packages/voice/test/stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../../../packages/voice/test/stand-ins/elevenlabs/elevenlabs-stand-in';
import { TelnyxStandIn } from '../../../packages/voice/test/stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from '../../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { describeAccount, findWebhook } from '../../../packages/voice/test/support/carriers';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import { createAgent } from '../../support/agents';
import { readLedger } from '../../support/ledger';
import { useOwnParley } from '../../support/parley';
import { countConsumers, rabbitmqUrl } from '../../support/rabbitmq';
import { startProxy } from '../../support/several-runtimes';
import { silentLogger } from '../../support/silent-logger';
import { until } from '../../support/until';

const secret = 'a secret that both of the runtimes share';
const parley = useOwnParley();

let numbers = 0;

test.each(['twilio', 'telnyx'] as const)(
  'a call of %s whose webhook reaches two runtimes, at once or one after the other, is one record and is charged once',
  async (name) => {
    const standIn = name === 'twilio' ? await TwilioStandIn.listen() : await TelnyxStandIn.listen();
    const hangUp = () => {
      if (standIn instanceof TwilioStandIn) standIn.calls.at(-1)?.end('completed', 'person');
      else standIn.calls.at(-1)?.end('normal_clearing', 'person');
    };
    const [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
    const ports = await freePorts(2);
    const proxy = await startProxy(ports);
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    standIn.webhookUrl = findWebhook(standIn, proxy.url);
    standIn.deliversTo = urls.map((url) => findWebhook(standIn, url));
    const start = (port: number) =>
      VoiceProcess.start(
        {
          ...{ RABBITMQ_URL: rabbitmqUrl, VOICE_PORT: `${port}`, VOICE_PUBLIC_URL: proxy.url },
          BROKER_PREFIX: parley.topology.callsQueue.replace('.calls.default', ''),
          ...{ ...describeAccount(standIn), VOICE_CAPACITY: '4', VOICE_DRAIN_SECONDS: '0' },
          ...{ VOICE_PEER_URL: `http://127.0.0.1:${port}`, VOICE_PEER_SECRET: secret },
          ...{ DEEPGRAM_API_KEY: deepgram.apiKey, DEEPGRAM_BASE_URL: deepgram.baseUrl },
          ...{ ELEVENLABS_API_KEY: elevenlabs.apiKey, ELEVENLABS_BASE_URL: elevenlabs.baseUrl },
        },
        { logger: silentLogger },
      );
    const runtimes = await Promise.all(ports.map((port) => start(Number(port))));
    const running = runtimes.map((runtime) => runtime.run());
    const workspace = await parley.workspace({ credits: 10 });
    const number = `+1555030${1_000 + numbers++}`;
    const agentId = await createAgent(workspace, { type: 'inbound', greeting: 'Good day!' });
    await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: number });
    // Announces each runtime to the other, as they do themselves every ten seconds.
    for (const [own, other] of [urls, [...urls].reverse()]) {
      const peers = new Peers({ peerUrl: own, secret });
      const offers = new PeerOffers(peers, secret, other ?? '', name, silentLogger);
      offers.start();
      await until(() => offers.known.length > 0);
      offers.stop();
    }
    const queue = parley.topology.phoneCallsQueue;
    await until(async () => (await countConsumers(queue)) === 2);

    for (const [index, isAtOnce] of [true, false].entries()) {
      standIn.deliversAtOnce = isAtOnce;
      const call = await standIn.ringIn({ to: number, from: '+15551110001' });
      await until(() => call.handset?.heardSound);
      hangUp();
      const records = await until(async () => {
        const { body } = await workspace.api.get('/api/calls');
        const shown = body.data as { status: string; charge: number; disconnect_reason: string }[];
        return shown.every(({ status }) => ['disconnected', 'failed'].includes(status)) && shown;
      });
      expect(call).toMatchObject({ streams: 1, complaints: [] });
      expect(records).toHaveLength(index + 1);
      expect(records[0]).toMatchObject({
        status: 'disconnected',
        charge: 1,
        disconnect_reason: 'user_hangup',
      });
    }
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({
      credits: 8,
      entries: ['hold -1', 'release 1', 'charge -1', 'hold -1', 'release 1', 'charge -1'],
    });

    for (const runtime of runtimes) await runtime.drain();
    await Promise.all(running);
    proxy.close();
    await standIn.close();
    deepgram.close();
    elevenlabs.close();
  },
);
