import { VoiceMetrics, ProviderHealth } from '@parley/voice';
import { Registry } from 'prom-client';
import { type CarriedCall, CarrierTalk } from './support/carriers';
import {
  ANSWERS,
  assertHeld,
  type Cell,
  FailingProviders,
  FAULTS,
  findLongestSilence,
  holdCalls,
  MOMENTS,
  type Outcome,
  PARTS,
  QUESTIONS,
} from './support/failing-providers';

/** Two cores hear and speak for these calls at once without delay. */
const AT_ONCE = 12;
const CELLS = PARTS.flatMap((part) =>
  MOMENTS.flatMap((moment) => FAULTS.map((fault) => ({ part, moment, fault }))),
);
/** The first provider may recover: a stream is opened again before the person speaks, or a slow answer comes in time. */
const isPerhapsBridged = ({ part, fault, moment }: Cell) =>
  fault === 'slow' || (part === 'recognition' && moment === "call's start");
const ONE_TURN = { talks: [{ afterMs: 300, forMs: 600 }], hangsUpAfterMs: 11_000 };
const ACTIONS = ['desk tel:+15550107777', 'other tel:+15550108888'];

/** No model answers. */
function refuse({ models }: FailingProviders): void {
  for (const model of models) model.faults.push(...Array.from({ length: 2 }, () => ({ refuses: 503 })));
}

describe('A provider that fails, with one that follows', () => {
  let talk: CarrierTalk;
  const registry = new Registry();
  let outcomes: Outcome[] = [];
  let waiting: Outcome;
  let failed: CarriedCall;
  let handedOn: CarriedCall;
  let notReached: CarriedCall;
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio');
    const metrics = new VoiceMetrics(registry);
    const health = new ProviderHealth({ failures: 3, ms: 30_000 }, metrics);
    const hold = async (prepare: (providers: FailingProviders) => Promise<CarriedCall>): Promise<Outcome> => {
      const providers = await FailingProviders.start();
      const call = await prepare(providers);
      providers.close();
      return { call, providers };
    };
    const failing = hold((providers) => {
      refuse(providers);
      return providers.call(talk, {}, ONE_TURN, { health });
    });
    const transferred = (transfer: 'answers' | 'busy') =>
      hold((providers) => {
        refuse(providers);
        const person = { ...ONE_TURN, transfer, connectedMs: 300 };
        return providers.call(talk, { lastResort: 'transfer' }, person, {}, { actions: ACTIONS });
      });
    talk.standIn.maxCalls = AT_ONCE;
    [waiting, { call: failed }, { call: handedOn }, { call: notReached }] = await Promise.all([
      hold((providers) => {
        // No model answers for 5 s. Then the second model's attempt ends, and its further attempt is answered.
        for (const model of providers.models) model.answers.push(() => undefined);
        return providers.call(talk, { hedgeMs: undefined }, ONE_TURN);
      }),
      failing,
      transferred('answers'),
      transferred('busy'),
    ]);
    outcomes = await holdCalls(talk, CELLS, AT_ONCE);
  }, 300_000);
  afterAll(() => talk.close());

  test.each(CELLS.map((cell, index) => ({ ...cell, index })))(
    '$part, $fault at $moment: no silence of 3 s, no word lost or doubled, and the call says who went on',
    ({ index, ...cell }) => {
      const outcome = outcomes[index] as Outcome;
      assertHeld(outcome);
      if (isPerhapsBridged(cell)) return;
      const { warnings, analysis } = outcome.call;
      expect(warnings).toEqual([
        { code: 'provider_fallback', text: expect.stringMatching(new RegExp(`^${cell.part}: `)) as string },
      ]);
      expect(analysis).toMatchObject({ fallbacks: 1 });
    },
  );

  test('a person who waits for an answer hears "One moment." in the voice of this machine, and no turn has it', () => {
    const { call, providers } = waiting;
    expect(call.turns.map(({ text }) => text)).toEqual([QUESTIONS[0], ANSWERS[0]]);
    expect(findLongestSilence(call, ONE_TURN.talks)).toBeLessThanOrEqual(3_000);
    // Twice: after 2.8 s, and after as long again.
    expect(providers.measureVoices(call).own).toBe(2 * 120);
  });

  test('when all have failed, the agent apologises, and the warning names each', async () => {
    expect(failed.end).toMatchObject({ reason: 'error', by: 'system' });
    expect(failed.turns.at(-1)?.text).toBe('I am sorry, something does not work here. Goodbye.');
    expect(failed.warnings.map(({ code }) => code)).toEqual(['provider_fallback', 'service_failed']);
    const refused = 'The model answered 503: server_error';
    expect(failed.warnings[1]?.text).toBe(`language: openai: ${refused}; groq: ${refused}; groq: ${refused}`);
    // The summary was refused, too.
    const text = await registry.metrics();
    expect(text).toContain(
      'voice_provider_requests_total{part="language",provider="openai",result="refused"} 2',
    );
    expect(text).toContain('voice_fallbacks_total{part="language",from="openai",to="groq"} 2');
    expect(text).toContain('voice_provider_open{part="language",provider="openai"} 0');
    expect(text).toMatch(
      /voice_provider_first_seconds_count\{part="recognition",provider="deepgram"\} [1-9]/,
    );
  });

  test('when all have failed, the person can be connected with the first number of the agent', () => {
    expect(handedOn.end).toMatchObject({ reason: 'call_transfer', by: 'agent' });
    expect(handedOn.phone?.transferredTo).toBe('+15550107777');
    expect(handedOn.turns.map(({ text }) => text)).toContain(
      'I am sorry, something does not work here. I am connecting you with somebody.',
    );
    expect(handedOn.warnings.map(({ code }) => code)).toEqual(['provider_fallback', 'service_failed']);
  });

  test('a last resort that does not answer leaves the call failed', () => {
    expect(notReached.end).toMatchObject({ reason: 'error', by: 'system' });
    expect(notReached.warnings.map(({ code }) => code)).toContain('transfer_failed');
  });
});
