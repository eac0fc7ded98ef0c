import type { CallStart } from '@parley/worker';
import { type ModelRequest, ModelServer } from '../../../test/support/model-server';
import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { MULAW, PATIENCE } from './support/caller';
import { toTool } from './support/server-tools';
import { startVoiceServer, type VoiceServer } from './support/voice-server';

type Agent = CallStart['agent'];
type Group = 'voiceConfig' | 'sttConfig' | 'callConfig' | 'llmConfig' | 'aiModel';
type Fields = Partial<Omit<Agent, Group>> & { [K in Group]?: Partial<Agent[K]> };

let server: VoiceServer;
let model: ModelServer;
beforeAll(async () => {
  server = await startVoiceServer();
  model = await ModelServer.start(Array.from({ length: 100 }, () => ['At nine.']));
});
afterAll(async () => {
  model.stop();
  await server.close();
});

/** The agent of an example, with these fields. */
function agentWith(fields: Fields): Agent {
  const base = exampleCall().agent as unknown as Record<string, object>;
  const changed = Object.entries(fields).map(([name, value]) => {
    const isGroup = typeof value === 'object' && !Array.isArray(value);
    return [name, isGroup ? { ...base[name], ...value } : value] as const;
  });
  return { ...base, ...Object.fromEntries(changed) } as unknown as Agent;
}

describe('What the language model gets in a conversation', () => {
  /** One conversation in writing. @returns the request for the answer, and what was said */
  async function askedWith(fields: Fields, call: Partial<CallStart> = {}) {
    const asked = model.requests.length;
    const { turns } = await server.talk(
      { start: { ...call, greeting: 'Good day!', agent: agentWith({ type: 'chat', ...fields }) } },
      async (url) => {
        const caller = await server.join(url);
        await caller.start(null);
        caller.send({ event: 'text', text: 'When do you open?' });
        await until(() => caller.finals('agent').length > 1, PATIENCE);
        caller.send({ event: 'stop' });
        await until(() => caller.closed, PATIENCE);
      },
      { models: new Map(['openai', 'groq'].map((name) => [name, { baseUrl: model.url, apiKey: '' }])) },
    );
    return { request: model.requests[asked], said: turns.at(-1)?.text };
  }
  const getPrompt = (request: ModelRequest | undefined) => request?.messages[0]?.content ?? '';
  const getTools = (request: ModelRequest | undefined) => request?.tools?.map((tool) => tool.function.name);

  test.each<[string, Fields, Fields, (request: ModelRequest | undefined) => unknown, unknown, unknown]>([
    ['prompt', { prompt: 'Be kind.' }, { prompt: 'Be brief.' }, getPrompt, 'Be kind.', 'Be brief.'],
    [
      'a variable in the localisedPrompt',
      { localisedPrompt: 'For {{customer}}.', primaryLanguage: 'fr' },
      { localisedPrompt: 'For {{nobody}}.', primaryLanguage: 'fr' },
      getPrompt,
      'For Ada.',
      'For.',
    ],
    [
      'localisedPrompt and primaryLanguage',
      { prompt: 'Speak.', localisedPrompt: 'Parlez.', primaryLanguage: 'fr' },
      { prompt: 'Speak.', localisedPrompt: 'Parlez.', primaryLanguage: 'en' },
      getPrompt,
      'Parlez.',
      'Speak.',
    ],
    [
      'multiLingual and secondaryLanguages',
      { prompt: '', multiLingual: true, secondaryLanguages: ['es', 'fr'] },
      { prompt: '', multiLingual: false, secondaryLanguages: ['es', 'fr'] },
      getPrompt,
      "Answer in the person's language, if it is one of: en, es, fr.",
      '',
    ],
    [
      'keywords, keyterms and customVocabulary',
      { prompt: '', sttConfig: { keywords: ['Ada:2'], keyterms: ['Lovelace'] }, customVocabulary: ['Byron'] },
      { prompt: '' },
      getPrompt,
      'The person may say these names: Ada, Lovelace, Byron.',
      '',
    ],
    [
      'llmConfig.model',
      { llmConfig: { model: 'one' } },
      { llmConfig: { model: 'two' } },
      (request) => request?.model,
      'one',
      'two',
    ],
    [
      'aiModel, where llmConfig names nothing',
      { aiModel: { provider: 'groq', model: 'one' }, llmConfig: { provider: '', model: '' } },
      { aiModel: { provider: 'groq', model: 'one' }, llmConfig: { provider: 'groq', model: 'two' } },
      (request) => request?.model,
      'one',
      'two',
    ],
    [
      'temperature',
      { llmConfig: { temperature: 0 } },
      { llmConfig: { temperature: 1.5 } },
      (request) => request?.temperature,
      0,
      1.5,
    ],
    [
      'maxTokens',
      { llmConfig: { maxTokens: 20 } },
      { llmConfig: { maxTokens: 300 } },
      (request) => request?.max_tokens,
      20,
      300,
    ],
    [
      'dynamic_variables',
      { dynamic_variables: ['city'] },
      { dynamic_variables: ['customer'] },
      getTools,
      ['end_call', 'note_variable'],
      ['end_call'],
    ],
  ])('differs by %s', async (_, one, other, of, expectedOfOne, expectedOfOther) => {
    const first = await askedWith(one);
    const second = await askedWith(other);
    expect([of(first.request), of(second.request)]).toEqual([expectedOfOne, expectedOfOther]);
    expect([first.said, second.said]).toEqual(['At nine.', 'At nine.']);
  });

  test('differs by actions, for which the server sends tools', async () => {
    const actions = ['book_table'];
    const { request } = await askedWith({ actions }, { tools: [toTool({ name: 'book_table' })] });
    expect(getTools(request)).toEqual(['end_call', 'book_table']);
    expect(getTools((await askedWith({ actions })).request)).toEqual(['end_call']);
  });

  test('differs by knowledgeBases', async () => {
    const knowledge_bases = [{ kb_id: 'kb-1', search: 'http://127.0.0.1/search' }];
    const { request } = await askedWith({}, { knowledge_bases });
    expect(getTools(request)).toContain('search_knowledge');
    expect(getTools((await askedWith({})).request)).not.toContain('search_knowledge');
  });

  test('differs by timezone and timeZone', async () => {
    const dateIn = async (zone: string, callZone: string) => {
      const prompt = 'It is {{now}}.';
      return getPrompt(
        (await askedWith({ prompt, timezone: zone, callConfig: { timeZone: callZone } })).request,
      );
    };
    // These zones are 25 hours apart.
    const [kiribati, baker] = [await dateIn('Pacific/Kiritimati', ''), await dateIn('Etc/GMT+11', '')];
    expect(kiribati).not.toBe(baker);
    expect(kiribati).toMatch(/^It is \w+day, \w+ \d+, \d{4} at \d+:\d\d [AP]M\.$/);
    expect(await dateIn('Etc/GMT+11', 'Pacific/Kiritimati')).not.toBe(baker);
  });

  test('differs by llmConfig.provider: without an address, nobody gets it', async () => {
    const asked = model.requests.length;
    const { said } = await askedWith({ llmConfig: { provider: 'nobody' } });
    expect(model.requests).toHaveLength(asked);
    expect(said).toContain('scripted assistant');
  });
});

describe('The sound of a greeting', () => {
  async function heardWith(fields: Fields) {
    let samples = new Int16Array();
    const { warnings } = await server.talk(
      { start: { greeting: 'Good day, Ada!', agent: agentWith({ type: 'inbound', ...fields }) } },
      async (url) => {
        const caller = await server.join(url);
        await caller.start(MULAW);
        await until(() => caller.finals('agent').length > 0, PATIENCE);
        samples = Int16Array.from(caller.audio().samples);
        caller.send({ event: 'stop' });
        await until(() => caller.closed, PATIENCE);
      },
    );
    return { samples, warnings: warnings.map(({ text }) => text).join(' ') };
  }
  const usual = { voiceId: 'slt' };

  test.each<[string, Partial<Agent['voiceConfig']>]>([
    ['voiceId', { voiceId: 'awb' }],
    ['speed', { speed: 1.5 }],
    ['pitch', { pitch: 1.6 }],
  ])('differs by %s', async (_, voiceConfig) => {
    const { samples } = await heardWith({ voiceConfig: usual });
    const changed = await heardWith({ voiceConfig: { ...usual, ...voiceConfig } });
    expect(samples.length).toBeGreaterThan(4_000);
    expect(changed.samples.length).toBeGreaterThan(4_000);
    expect(changed.samples).not.toEqual(samples);
  });

  test('is the same with fields of other voices, which a warning names', async () => {
    const plain = await heardWith({ voiceConfig: usual });
    const others = { stability: 0.1, similarity: 0.2, styleExaggeration: 0.3 };
    const changed = await heardWith({ voiceConfig: { ...usual, ...others, model: 'another', latency: 3 } });
    expect(changed.samples).toEqual(plain.samples);
    expect(plain.warnings).not.toContain('stability');
    expect(changed.warnings).toContain('stability, similarity, styleExaggeration');
  });

  test('has a warning of a language that this machine does not speak', async () => {
    expect((await heardWith({ primaryLanguage: 'de' })).warnings).toContain("the agent's language is de");
    expect((await heardWith({ primaryLanguage: 'en' })).warnings).not.toContain('language is');
  });
});
