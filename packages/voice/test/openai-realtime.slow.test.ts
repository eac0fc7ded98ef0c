import { LocalSpeech } from '@parley/voice';
import { exampleCall } from '../../worker/src/example-call';
import type { OfferOptions } from '@parley/worker/testing';
import { resolveAgent } from '../src/agent/resolve-agent';
import type { AnswerPart, Message } from '../src/brain/brain';
import { RealtimeSession } from '../src/realtime/realtime-session';
import { createRealtimeUrl, createSession } from '../src/realtime/realtime-settings';
import { RealtimeSocket, type SocketLimits } from '../src/realtime/realtime-socket';
import type { Environment } from '../src/runtime/environment';
import { readSpeech } from '../src/runtime/speech-settings';
import { resample } from '../src/audio/resampler';
import { RECOGNITION_RATE } from '../src/speech/speech';
import { until } from '../../../test/support/until';
import { type CarriedCall, CarrierTalk } from './support/carriers';
import { instantSpeech } from './support/instant-speech';
import { liveRow, liveSettings, type Row, standInRow } from './support/live';
import { type ServerTool, serverTools, toTool } from './support/server-tools';
import type { Person } from './stand-ins/phone/handset';
import type { ModelPart } from './stand-ins/openai-realtime/realtime-connection';
import { OpenAiRealtimeStandIn } from './stand-ins/openai-realtime/openai-realtime-stand-in';

jest.setTimeout(60_000);

const APOLOGY = 'I am sorry, something does not work here. Goodbye.';
const { llmConfig, voiceConfig, sttConfig } = exampleCall().agent;
const model = { ...llmConfig, provider: 'openai-realtime', model: 'gpt-realtime' };
const agent = { llmConfig: model };
const speaks = { talks: [{ afterMs: 200, forMs: 400 }] };

type Change = (openAi: OpenAiRealtimeStandIn) => void;
interface Talked extends CarriedCall {
  openAi: OpenAiRealtimeStandIn;
  /** The words in the voice of this machine. */
  own: string[];
  said: string[];
}

describe('A model that hears and speaks', () => {
  let talk: CarrierTalk;
  let relay: CarrierTalk;
  const standIns: OpenAiRealtimeStandIn[] = [];
  beforeAll(async () => {
    [talk, relay] = [await CarrierTalk.start('twilio'), await CarrierTalk.start('twilio that speaks')];
  });
  afterAll(async () => {
    await talk.close();
    await relay.close();
    for (const openAi of standIns) openAi.close();
  });

  async function call(
    person: Person,
    change: Change = () => undefined,
    start: OfferOptions['start'] = {},
    carried = talk,
  ): Promise<Talked> {
    const openAi = await OpenAiRealtimeStandIn.listen();
    standIns.push(openAi);
    change(openAi);
    const speech = instantSpeech();
    const made = await carried.call(person, {
      options: { start: { greeting: '', agent, ...start } },
      parts: { speech, accounts: { 'openai-realtime': openAi } },
    });
    const said = made.turns.map(({ speaker, text }) => `${speaker}: ${text}`);
    expect(openAi.complaints).toEqual([]);
    await until(() => openAi.openSockets === 0);
    return { ...made, openAi, own: speech.spoken, said };
  }

  test.concurrent('greets in its voice, is heard, and the call says what it cost', async () => {
    const person = { talks: [{ afterMs: 200, forMs: 1_600 }], hangsUpAfterMs: 4_500 };
    const made = await call(person, undefined, { greeting: 'Hello.' });
    expect(made.said).toEqual(['user: A table for two.', 'agent: Hello.']);
    expect(made.phone?.handset?.heardSound).toBe(true);
    expect(made.own).toEqual([]);
    expect(made.warnings).toEqual([]);
    expect(made.analysis).toMatchObject({
      ...{
        stt_provider: 'openai-realtime',
        tts_provider: 'openai-realtime',
        llm_provider: 'openai-realtime',
      },
    });
    expect(made.openAi.connections).toHaveLength(1);
    const { charged, heardMs = 0 } = made.openAi.last ?? {};
    expect(charged).toMatchObject({ read: 80, audioRead: 20, cached: 40, transcription: 7 });
    expect(charged?.audioWritten).toBeGreaterThan(0);
    expect(made.analysis).toMatchObject({
      ...{ llm_tokens_read: charged?.read, llm_tokens_written: charged?.written },
      ...{ llm_tokens: Number(charged?.read) + Number(charged?.written), llm_cached_tokens: charged?.cached },
      ...{ llm_audio_tokens_read: charged?.audioRead, llm_audio_tokens_written: charged?.audioWritten },
      ...{ stt_tokens: charged?.transcription, stt_seconds: Math.round(heardMs / 1_000) },
    });
  });

  test.concurrent('answers what the person said, with the manner of the agent', async () => {
    const made = await call(
      { ...speaks, hangsUpAfterMs: 2_500 },
      ({ answers }) => answers.push([{ text: 'We have a table for you.' }]),
      {
        agent: {
          llmConfig: { ...model, maxTokens: 100 },
          voiceConfig: { ...voiceConfig, provider: 'openai', voiceId: 'cedar', speed: 1.2 },
          sttConfig: { ...sttConfig, ncEnabled: true },
          ...{ customVocabulary: ['Parley'], primaryLanguage: 'de', actions: ['book'] },
        },
        tools: [toTool({ name: 'book' })],
      },
    );
    expect(made.said).toEqual(['user: A table for two.', 'agent: We have a table for you.']);
    const { session = {} } = made.openAi.last ?? {};
    expect(session).toMatchObject({
      ...{ type: 'realtime', output_modalities: ['audio'], max_output_tokens: 800 },
      audio: {
        input: {
          ...{ turn_detection: null, noise_reduction: { type: 'near_field' } },
          transcription: { language: 'de', prompt: 'Parley' },
        },
        output: { voice: 'cedar', speed: 1.2 },
      },
    });
    expect((session.tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'end_call',
      'press_keys',
      'opt_out',
      'book',
    ]);
  });

  test.concurrent(
    'answers the questions of the agent, and is asked once more if it wrote no JSON',
    async () => {
      const fields = [{ name: 'size', type: 'integer' as const, description: 'For how many.' }];
      const made = await call(
        { ...speaks, hangsUpAfterMs: 2_500 },
        ({ conclusions }) => conclusions.push('It went well.', '{"fields": {"size": 2}}'),
        { analysis: { fields, criteria: [] } },
      );
      expect(made.analysis).toMatchObject({ size: 2 });
      expect(made.openAi.connections).toHaveLength(2);
      expect(made.openAi.conclusions).toEqual([]);
    },
  );

  test.concurrent('stops when the person interrupts, and forgets what was not heard', async () => {
    const long = 'Let me tell you everything about our house by the river. '.repeat(20).trim();
    const person = { ...speaks, interrupts: { afterMs: 1_000, forMs: 600 }, hangsUpAfterMs: 6_000 };
    const made = await call(person, (openAi) => {
      openAi.answers.push([{ text: long }], [{ text: 'All right.' }]);
      // The model still speaks when it is interrupted.
      openAi.paceMs = 150;
    });
    const [, heard, again, answer] = made.said;
    expect([again, answer]).toEqual(['user: A table for two.', 'agent: All right.']);
    const text = heard?.replace('agent: ', '') ?? '';
    expect(long.startsWith(text)).toBe(true);
    const { truncated = [], cancelled = [], items = [] } = made.openAi.last ?? {};
    expect(cancelled).toHaveLength(1);
    expect(truncated).toHaveLength(1);
    expect(truncated[0]?.ms).toBeGreaterThan(900);
    expect(Math.abs((truncated[0]?.ms ?? 0) - text.length * 10)).toBeLessThan(400);
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    // Two answers and the summary.
    expect(made.analysis).toMatchObject({ interruptions: 1, llm_tokens_read: 120 });
  });

  test.concurrent('says what an answer cost in whose middle the person hung up', async () => {
    const made = await call({ ...speaks, hangsUpAfterMs: 2_000 }, (openAi) => {
      openAi.answers.push([{ text: 'Let me tell you everything about our house. '.repeat(20).trim() }]);
      // The summary is there before the end of the answer.
      openAi.paceMs = 400;
    });
    expect(made.openAi.last?.cancelled).toHaveLength(1);
    // The answer and the summary.
    expect(made.analysis).toMatchObject({ llm_tokens_read: 80, llm_audio_tokens_read: 20 });
  });

  test.concurrent('uses the tools of the agent, says goodbye, and connects the person', async () => {
    const made = await call(
      speaks,
      ({ answers }) =>
        answers.push(
          [{ text: 'One moment.' }, { tool: 'press_keys', arguments: { digits: '12' } }],
          [{ tool: 'note_variable', arguments: { name: 'name', value: 'Ada' } }],
          [{ text: 'I am connecting you.' }, { tool: 'sales', arguments: {} }],
        ),
      { agent: { ...agent, actions: ['sales tel:+15559998888'], dynamic_variables: ['name'] } },
    );
    expect(made.end).toMatchObject({ type: 'call.ended.v1', reason: 'call_transfer', by: 'agent' });
    expect(made.phone).toMatchObject({ transferredTo: '+15559998888' });
    expect(made.turns.flatMap(({ tool }) => tool?.name ?? [])).toEqual(['press_keys', 'sales']);
    expect(made.said.at(-1)).toBe('agent: One moment. I am connecting you.');
    expect(made.analysis).toMatchObject({ name: 'Ada' });
  });

  test.concurrent('reads the keys that the person presses', async () => {
    const person = { presses: { afterMs: 400, digits: '5' }, hangsUpAfterMs: 2_000 };
    const made = await call(person, ({ answers }) => answers.push([{ text: 'Five.' }]));
    expect(made.said).toEqual(['user: DTMF 5', 'agent: Five.']);
    expect(made.openAi.last?.items.map(({ text }) => text)).toEqual(['DTMF 5', 'Five.']);
  });

  test.concurrent('does not hear noise that was no turn', async () => {
    const person = {
      talks: [
        { afterMs: 200, forMs: 400 },
        { afterMs: 1_800, forMs: 400 },
      ],
      hangsUpAfterMs: 4_000,
    };
    const made = await call(person, (openAi) => {
      openAi.texts = ['', 'A table for two.'];
      openAi.answers.push([{ text: 'Yes.' }]);
    });
    expect(made.said).toEqual(['user: A table for two.', 'agent: Yes.']);
    expect(made.openAi.last?.items.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test.concurrent('hears a turn with a pause as a whole', async () => {
    const person = {
      talks: [
        { afterMs: 200, forMs: 400 },
        { afterMs: 900, forMs: 400 },
      ],
      hangsUpAfterMs: 3_500,
    };
    const made = await call(
      person,
      (openAi) => {
        openAi.texts = ['A table', 'A table for two'];
        openAi.answers.push([{ text: 'Yes.' }]);
      },
      { agent: { ...agent, voiceConfig: { ...voiceConfig, patienceLevel: 3 } } },
    );
    expect(made.said).toEqual(['user: A table for two', 'agent: Yes.']);
    const items = made.openAi.last?.items ?? [];
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(items[0]?.audioMs).toBeGreaterThan(1_000);
  });

  test.concurrent('goes on in a new session when its hour is over, with what was said', async () => {
    const person = {
      talks: [
        { afterMs: 200, forMs: 400 },
        { afterMs: 3_000, forMs: 400 },
      ],
      hangsUpAfterMs: 6_000,
    };
    const made = await call(person, (openAi) => {
      openAi.answers.push([{ text: 'Yes.' }], [{ text: 'Of course.' }]);
      void until(() => openAi.last?.items[1]?.text === 'Yes.' && openAi.last.isIdle).then(() =>
        openAi.last?.expire(),
      );
    });
    expect(made.said).toEqual([
      'user: A table for two.',
      'agent: Yes.',
      'user: A table for two.',
      'agent: Of course.',
    ]);
    expect(made.openAi.connections).toHaveLength(2);
    expect(made.openAi.last?.items.map(({ text }) => text).slice(0, 2)).toEqual(['A table for two.', 'Yes.']);
  });

  test.concurrent('that dies in mid-sentence is asked once more, and goes on where it ended', async () => {
    const made = await call({ ...speaks, hangsUpAfterMs: 3_000 }, ({ answers, faults }) => {
      answers.push([{ text: 'We have a table for you.' }], [{ text: ' at the window.' }]);
      faults.push({ closesAt: 1 });
    });
    expect(made.said[1]).toMatch(/^agent: We have a table for you\.\s+at the window\.$/);
    expect(made.openAi.last?.items.map(({ text }) => text.trim())).toEqual([
      'A table for two.',
      'We have a table for you.',
      'at the window.',
    ]);
    expect(made.end).toMatchObject({ reason: 'user_hangup' });
  });

  test.concurrent('whose text of the person fails is asked for it once more', async () => {
    const made = await call({ ...speaks, hangsUpAfterMs: 3_000 }, ({ answers, faults }) => {
      answers.push([{ text: 'Yes.' }]);
      faults.push({ recognizes: 'nothing' });
    });
    expect(made.said).toEqual(['user: A table for two.', 'agent: Yes.']);
    expect(made.openAi.last?.items.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test.concurrent.each<[string, Change]>([
    [
      'cannot be reached',
      ({ connectionFaults }) =>
        connectionFaults.push(...Array.from({ length: 30 }, () => ({ refuses: 503 }))),
    ],
    [
      'has no credit',
      ({ connectionFaults }) =>
        connectionFaults.push(...Array.from({ length: 30 }, () => ({ reports: 'insufficient_quota' }))),
    ],
    [
      'fails twice',
      ({ faults }) => faults.push({ failsWith: 'rate_limit_exceeded' }, { failsWith: 'rate_limit_exceeded' }),
    ],
    ['dies in mid-sentence, twice', ({ faults }) => faults.push({ closesAt: 0.5 }, { closesAt: 0.7 })],
    ['is silent in mid-sentence, twice', ({ faults }) => faults.push({ stallsAt: 0.5 }, { stallsAt: 0.5 })],
    ['sends nonsense', ({ faults }) => faults.push({ sendsNonsense: true }, { sendsNonsense: true })],
    [
      'never recognises a text',
      ({ faults }) => faults.push({ recognizes: 'never' }, { recognizes: 'never' }),
    ],
  ])('that %s ends the call with an apology in the voice of this machine', async (_, change) => {
    const made = await call(speaks, (openAi) => {
      openAi.answers.push(...[1, 2].map(() => [{ text: 'We have a table for you at the window.' }]));
      change(openAi);
    });
    expect(made.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(made.own.join(' ')).toBe(APOLOGY);
    expect(made.said.at(-1)).toBe(`agent: ${APOLOGY}`);
    expect(made.phone?.endedBy).toBe('runtime');
    const failure = made.warnings.find(({ code }) => code === 'service_failed')?.text;
    expect(failure).toMatch(/^OpenAI /);
    expect(failure).not.toContain('sk-');
  });

  test.concurrent('writes where the carrier speaks', async () => {
    const made = await call(
      { says: ['A table for two'], hangsUpAfterMs: 3_000 },
      ({ answers }) => answers.push([{ text: 'We have a table for you.' }]),
      {},
      relay,
    );
    expect(made.said).toEqual(['user: A table for two', 'agent: We have a table for you.']);
    expect(made.openAi.last?.session).toMatchObject({ output_modalities: ['text'] });
    expect(made.analysis).toMatchObject({ stt_provider: 'carrier', llm_provider: 'openai-realtime' });
  });

  test.concurrent(
    'of which the key is not set is replaced by the scripted assistant, with a warning',
    async () => {
      const made = await talk.call(
        { ...speaks, hangsUpAfterMs: 1_500 },
        { options: { start: { greeting: '', agent } } },
      );
      expect(made.warnings).toContainEqual({
        code: 'provider_not_configured',
        text: expect.stringContaining('language model (openai-realtime)') as string,
      });
      expect(made.analysis).toMatchObject({ llm_provider: 'local', stt_provider: 'local' });
    },
  );
});

describe('A session with the model', () => {
  const { signal } = new AbortController();
  const { plan } = resolveAgent(
    exampleCall({ call_type: 'webcall', agent: { ...exampleCall().agent, ...agent } }),
    {
      models: new Set(['openai-realtime']),
    },
  );
  const sound = Int16Array.from({ length: RECOGNITION_RATE / 2 }, (_, at) => 9_000 * Math.sin(at / 4));
  const user = (text: string): Message => ({ role: 'user', text });
  let openAi: OpenAiRealtimeStandIn;
  let session: RealtimeSession;
  beforeEach(async () => {
    openAi = await OpenAiRealtimeStandIn.listen();
  });
  afterEach(async () => {
    session.close();
    await until(() => openAi.openSockets === 0);
    expect(openAi.complaints).toEqual([]);
    openAi.close();
  });

  const open = (run: ServerTool['run'] = () => ({}), mode: ServerTool['mode'] = 'wait') =>
    (session = new RealtimeSession({
      ...{ account: openAi, plan, isSpoken: true },
      context: { variables: [], ...serverTools([{ name: 'book', run, mode }]) },
    }));
  async function answer(messages: Message[], until = signal) {
    const parts: AnswerPart[] = [];
    for await (const part of session.answer(messages, until)) parts.push(part);
    return parts
      .map((part) => (part.type === 'speech' ? part.text : part.type === 'tool' ? part.name : ''))
      .join('');
  }
  const items = () => (openAi.last?.items ?? []).map(({ type, text }) => `${type}: ${text}`.trim());

  test('that ends while a tool is done gets its result in a new one, and the tool is asked for once', async () => {
    openAi.answers.push(
      [{ tool: 'book', arguments: { people: 2 } }],
      [{ text: 'It is booked.' }],
      [{ text: 'Yes.' }],
    );
    let booked = 0;
    open(async () => {
      openAi.last?.expire();
      await until(() => openAi.openSockets === 0);
      return { result: { booked: ++booked } };
    });
    expect(await answer([user('Book a table.')])).toBe('bookIt is booked.');
    const known = [
      'message: Book a table.',
      'function_call: {"people":2}',
      'function_call_output: {"booked":1}',
      'message: It is booked.',
    ];
    expect(items()).toEqual(known);
    expect(openAi.connections).toHaveLength(2);

    // A later session has it, too.
    openAi.last?.expire();
    await until(() => openAi.openSockets === 0);
    const said: Message = { role: 'agent', text: 'It is booked.' };
    expect(await answer([user('Book a table.'), said, user('Is it?')])).toBe('Yes.');
    expect(items()).toEqual([...known, 'message: Is it?', 'message: Yes.']);
    expect(booked).toBe(1);
  });

  test('gets the result of a tool that was interrupted when it comes, and says what came of it', async () => {
    openAi.answers.push(
      [{ tool: 'book', arguments: {} }],
      [{ text: 'All right.' }],
      [{ text: 'It is booked.' }],
    );
    const interrupted = new AbortController();
    let settle: (result: object) => void = () => undefined;
    open(() => {
      interrupted.abort(new Error('The person speaks'));
      return new Promise((resolve) => (settle = resolve));
    });
    const first = answer([user('Book a table.')], interrupted.signal);
    first.catch(() => undefined);
    await expect(first).rejects.toThrow('The person speaks');
    expect(await answer([user('Book a table.'), user('Wait.')])).toBe('All right.');
    settle({ result: { booked: 1 } });
    await until(() => session.hasNews);
    const said: Message = { role: 'agent', text: 'All right.' };
    expect(await answer([user('Book a table.'), user('Wait.'), said])).toBe('It is booked.');
    expect(items().slice(-2)).toEqual(['function_call_output: {"booked":1}', 'message: It is booked.']);
    expect(session.hasNews).toBe(false);
  });

  test('goes on at once beside a tool with the mode background', async () => {
    openAi.answers.push([{ tool: 'book', arguments: {} }], [{ text: 'I am on it.' }]);
    let settle: (result: object) => void = () => undefined;
    open(() => new Promise((resolve) => (settle = resolve)), 'background');
    expect(await answer([user('Book a table.')])).toBe('bookI am on it.');
    settle({ result: { booked: 1 } });
    await until(() => items().at(-1) === 'function_call_output: {"booked":1}');
    expect(session.hasNews).toBe(true);
  });

  test('that the server has closed is replaced before the speech of the person is sent', async () => {
    const heard = open().recognizer.open({ interim: () => undefined });
    await until(() => openAi.last?.session.type);
    openAi.last?.freeze(true);
    await until(() => session['socket']?.isClosing);
    heard.write(sound);
    expect(await heard.text(signal)).toBe('A table for two.');
    expect(openAi.connections).toHaveLength(2);
    heard.close();
  });

  test('is begun again a few times if the server refuses it, and then the refusal is the reason', async () => {
    const refuses = { refuses: 503 };
    openAi.connectionFaults.push(refuses, refuses);
    const heard = open().recognizer.open({ interim: () => undefined });
    heard.write(sound);
    expect(await heard.text(signal)).toBe('A table for two.');
    heard.close();
    session.close();

    openAi.connectionFaults.push(...Array.from({ length: 30 }, () => refuses));
    open();
    await expect(answer([user('Hello.')])).rejects.toThrow('OpenAI answered 503');
    expect(openAi.connectionFaults.length).toBeGreaterThan(20);
    openAi.connectionFaults.length = 0;
  });

  test.each<[string, SocketLimits, (socket: RealtimeSocket) => void, string]>([
    [
      'does not answer a ping',
      { pingMs: 50, maxBuffered: Infinity },
      () => undefined,
      'did not answer a ping',
    ],
    [
      'reads nothing of the audio',
      { pingMs: 60_000, maxBuffered: 1_000_000 },
      (socket) => {
        const audio = Buffer.alloc(1_000_000).toString('base64');
        for (let at = 0; at < 20; at++) socket.send({ type: 'input_audio_buffer.append', audio });
      },
      'reads more slowly than it is sent to',
    ],
  ])('whose server %s is over', async (_, limits, act, sentence) => {
    open();
    const url = createRealtimeUrl(openAi.baseUrl, 'gpt-realtime');
    const lost: string[] = [];
    const listener = { event: () => undefined, lost: ({ message }: Error) => void lost.push(message) };
    const socket = new RealtimeSocket(url, openAi.apiKey, createSession(plan, true, []), listener, limits);
    await socket.ready;
    openAi.last?.freeze();
    act(socket);
    await until(() => lost.length > 0);
    expect(lost).toEqual([`OpenAI ${sentence}`]);
    expect(socket.isOpen).toBe(false);
    openAi.drop();
  });
});

test('fields that the model does not have are named, and an unknown voice or model is replaced', () => {
  const start = exampleCall({ call_type: 'phonecall' });
  start.agent = {
    ...start.agent,
    llmConfig: { ...model, model: 'gpt-4o', temperature: 0.2 },
    voiceConfig: {
      ...voiceConfig,
      provider: 'openai-realtime',
      voiceId: 'nova',
      stability: 0.1,
      voicePrompt: 'calm',
    },
  };
  const { plan, warnings } = resolveAgent(start, { models: new Set(['openai-realtime']) });
  expect(plan).toMatchObject({ language: { model: 'gpt-realtime' }, voice: { voice: 'marin' } });
  expect(plan.prompt).toContain('Speak in this manner: calm');
  expect(warnings.map(({ text }) => text)).toEqual([
    'llmConfig.model is gpt-4o; gpt-realtime is used.',
    'voiceConfig.voiceId is nova; the voice marin is used.',
    'openai-realtime does not have: stability, temperature.',
  ]);
});

/** The tests of a session with the stand-in, or with OpenAI itself. */
function testRealtime(row: Row, connect: (answers: ModelPart[][]) => Environment): void {
  const { signal } = new AbortController();
  const user = (text: string): Message => ({ role: 'user', text });
  let session: RealtimeSession | undefined;
  let local: LocalSpeech;
  beforeAll(() => (local = new LocalSpeech()));
  afterEach(() => session?.close());
  afterAll(() => local.close());

  function open(answers: ModelPart[][], { tools = [] as ServerTool[], prompt = 'Be short.', key = '' } = {}) {
    const env = connect(answers);
    const account = readSpeech(key ? { ...env, OPENAI_REALTIME_API_KEY: key } : env).accounts[
      'openai-realtime'
    ];
    if (!account) throw new Error('OPENAI_REALTIME_API_KEY is not set');
    const start = exampleCall({ call_type: 'webcall' });
    start.agent = { ...start.agent, llmConfig: model, prompt };
    const { plan } = resolveAgent(start, { models: new Set(['openai-realtime']) });
    const context = { variables: [], ...serverTools(tools) };
    return (session = new RealtimeSession({ account, plan, isSpoken: true, context }));
  }

  async function listen(parts: ReturnType<RealtimeSession['answer']> | undefined) {
    let [text, samples] = ['', 0];
    for await (const part of parts ?? []) {
      if (part.type !== 'speech') continue;
      text += part.text;
      samples += part.audio?.samples.length ?? 0;
    }
    return { text, seconds: samples / 24_000 };
  }

  row('says a greeting as it is written, and answers a text', [], async () => {
    const opened = open([[{ text: 'Here is a table.' }]]);
    const greeting = await listen(opened.read?.('Hello, this is the front desk.', [], signal));
    expect(greeting.text).toMatch(/front desk/i);
    expect(greeting.seconds).toBeGreaterThan(0.2);
    const answer = await listen(opened.answer([user('Say the word table.')], signal));
    expect(answer.text).toMatch(/table/i);
    expect(answer.seconds).toBeGreaterThan(0.1);
    expect(opened.tokens).toBeGreaterThan(0);
  });

  row('uses a tool of the agent, and says its result', [], async () => {
    let booked = 0;
    const run = () => ({ result: { reference: `tulip-${++booked}` } });
    const prompt = 'To book, use the tool book once. Then say the reference.';
    const opened = open([[{ tool: 'book', arguments: {} }], [{ text: 'The reference is tulip-1.' }]], {
      tools: [{ name: 'book', run }],
      prompt,
    });
    expect((await listen(opened.answer([user('Please book a table.')], signal))).text).toMatch(/tulip/i);
    expect(booked).toBe(1);
  });

  row('writes down what the person says', [], async () => {
    const heard = open([]).recognizer.open({ interim: () => undefined });
    const voice = { voice: 'slt', speed: 1, pitch: 1 };
    for await (const audio of local.synthesizer.speak('A table for two.', voice, signal))
      heard.write(resample(audio.samples, audio.sampleRate, RECOGNITION_RATE));
    expect(await heard.text(signal)).toMatch(/^A table for (two|2)\.?$/i);
    heard.close();
  });

  row('summarises the conversation', [], async () => {
    const opened = open([]);
    const messages: Message[] = [user('A table for two.'), { role: 'agent', text: 'It is booked.' }];
    expect((await opened.conclude(messages, signal)).summary).not.toBe('');
  });

  row('says that a key is wrong, and never the key', [], async () => {
    const opened = open([], { key: 'sk-wrong-key' });
    const error: unknown = await listen(opened.answer([user('Hello.')], signal)).catch((e: unknown) => e);
    expect(String(error)).toMatch(/OpenAI answered 401/);
    expect(String(error)).not.toContain('sk-');
  });
}

describe('A session with the stand-in', () => {
  let openAi: OpenAiRealtimeStandIn;
  beforeAll(async () => {
    openAi = await OpenAiRealtimeStandIn.listen();
  });
  afterEach(() => expect(openAi.complaints).toEqual([]));
  afterAll(() => openAi.close());

  testRealtime(standInRow, (answers) => {
    openAi.answers.splice(0, Infinity, ...answers);
    return { OPENAI_REALTIME_BASE_URL: openAi.baseUrl, OPENAI_REALTIME_API_KEY: openAi.apiKey };
  });
});

describe('A session with OpenAI itself', () => testRealtime(liveRow('openai-realtime'), () => liveSettings));
