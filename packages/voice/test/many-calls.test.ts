import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { CarrierTalk } from './support/carriers';
import { startModel } from './support/scripted-model';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';

// Both sides of all calls are in this process, which may get a part of a core only.
jest.setTimeout(240_000);

const CALLS = 200;
const CALLS_AT_ONCE = 20;
/** The persons speak one after the other. */
const TALK_EVERY_MS = 60;
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
  // A carrier places a certain number of calls a second. Audio begins when all are there.
  twilio.ticks.isPaused = true;
  while (calls.length < CALLS) {
    for (let count = 0; count < CALLS_AT_ONCE; count++) {
      const talks = [{ afterMs: 300 + calls.length * TALK_EVERY_MS, forMs: 500 }];
      calls.push(talk.call({ talks }, { options: { start }, parts }));
    }
    await until(
      () => twilio.calls.filter(({ streams, isOver }) => streams > 0 || isOver).length === calls.length,
      90_000,
    );
  }
  twilio.ticks.isPaused = false;
  await until(() => twilio.calls.every(({ handset }) => handset?.heardSound), 90_000);
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
