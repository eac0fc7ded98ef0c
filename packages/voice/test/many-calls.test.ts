import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { CarrierTalk } from './support/carriers';
import { startModel } from './support/scripted-model';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';

jest.setTimeout(60_000);

const CALLS = 200;
const CALLS_AT_ONCE = 20;
const { llmConfig, timeoutConfig, voiceConfig } = exampleCall().agent;

test(`one runtime conducts ${CALLS} calls at once with providers, and nothing of them stays behind`, async () => {
  const talk = await CarrierTalk.start('twilio');
  const [deepgram, elevenlabs, model] = [
    await DeepgramStandIn.listen(),
    await ElevenLabsStandIn.listen(),
    await startModel([]),
  ];
  elevenlabs.maxConcurrent = CALLS;
  const agent = {
    llmConfig: { ...llmConfig, provider: 'openai' },
    voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' },
    timeoutConfig: { ...timeoutConfig, silenceTimeout: 600 },
  };
  const parts = {
    accounts: { deepgram, elevenlabs },
    models: new Map([['openai', { baseUrl: model.url, apiKey: 'key' }]]),
  };
  const start = { greeting: '', agent };
  const twilio = talk.standIn as TwilioStandIn;
  const calls: ReturnType<CarrierTalk['call']>[] = [];
  // A carrier places a certain number of calls a second.
  while (calls.length < CALLS) {
    for (let count = 0; count < CALLS_AT_ONCE; count++)
      calls.push(talk.call({ talks: [{ afterMs: 300, forMs: 500 }] }, { options: { start }, parts }));
    await until(() => twilio.calls.filter(({ streams }) => streams > 0).length === calls.length, 30_000);
  }
  await until(() => twilio.calls.every(({ handset }) => handset?.heardSound), 30_000);
  expect(twilio.calls.filter(({ isOver }) => !isOver)).toHaveLength(CALLS);
  for (const call of twilio.calls) call.end('completed', 'person');
  const ended = await Promise.all(calls);

  const others = ended.filter(({ end }) => end.reason !== 'user_hangup');
  expect(others.map(({ end, warnings }) => ({ end, warnings }))).toEqual([]);
  const first = ended.map(({ turns }) =>
    turns
      .slice(0, 2)
      .map(({ text }) => text)
      .join(' / '),
  );
  expect(new Set(first)).toEqual(new Set(['A table for two. / Goodbye.']));
  expect(ended.flatMap(({ phone }) => phone?.complaints ?? [])).toEqual([]);
  expect(talk.carrier).toHaveProperty('sessions.size', 0);
  await talk.close();
  deepgram.close();
  elevenlabs.close();
  await model.close();
});
