import { until } from '../../../test/support/until';
import { RehearsalPlaces } from '../src/rehearsal/rehearsal-places';
import type { SpokenStageParts } from '../src/rehearsal/spoken-stage';
import { WebPlaces } from '../src/runtime/web-places';
import { type ModelPart, OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { agentOf, playWith, type Rehearsal, rehearse } from './support/rehearse';
import { toTool } from './support/server-tools';

const says = (text: string): ModelPart[] => [{ type: 'text', text }];

const RATE = 8_000;
const LETTER = RATE / 50;
/** The voice of simulated persons. */
const PERSON = 'rms';

/** A voice of 20 ms a letter, and a recognition that knows what the person has said last. */
function simpleSpeech(): SpokenStageParts['speech'] {
  let said = '';
  return {
    warm: () => Promise.resolve(),
    recognizer: {
      provider: 'local',
      open: () => ({
        ...{ seconds: 0, write: () => undefined, close: () => undefined },
        text: () => Promise.resolve(said),
        next: () => void (said = ''),
      }),
    },
    synthesizer: {
      provider: 'local',
      async *speak(text, { voice }) {
        if (voice === PERSON) said = text;
        // No tone, which would be taken for that of a machine.
        const samples = Int16Array.from(
          { length: text.length * LETTER },
          (_, at) => 9_000 * Math.sin(at * at),
        );
        yield await Promise.resolve({ samples, sampleRate: RATE });
      },
    },
  };
}

let chat: OpenAiChatStandIn;
beforeEach(async () => (chat = await OpenAiChatStandIn.listen()));
afterEach(() => {
  expect(chat.complaints).toEqual([]);
  chat.close();
});

type Options = Parameters<typeof rehearse>[2] & { answers?: OpenAiChatStandIn['answers'] };

const play = (
  rehearsal: Rehearsal,
  { answers = [], start, ...options }: Options = {},
  speech = simpleSpeech(),
) => {
  chat.answers.push(...answers);
  return rehearse({ mode: 'audio', ...rehearsal }, playWith(chat.models, speech), {
    ...{ start: { agent: agentOf(), ...start }, ...options },
  });
};

const BOOK = { type: 'tool', name: 'book_table', arguments: { people: 2 } } as const;

test('A spoken rehearsal has the words of both sides, the answers of the mocks, and the end', async () => {
  const { facts, said, events } = await play(
    {
      person: { lines: [{ on: 'how many', say: 'Two.' }, { say: 'A table.' }] },
      tools: [{ name: 'book_table', answer: { table: 7 } }],
    },
    {
      start: { greeting: 'Hello!', tools: [toTool({ name: 'book_table' })] },
      answers: [says('For how many?'), [BOOK], says('It is booked.')],
    },
  );

  expect(said).toEqual([
    'agent: Hello!',
    'user: A table.',
    'agent: For how many?',
    'user: Two.',
    'tool: book_table',
    'agent: It is booked.',
  ]);
  expect(facts).toMatchObject({
    end: { reason: 'user_hangup', by: 'user' },
    figures: { turns: 3, interrupted_ms: null, turn_gap_ms_p95: expect.any(Number) as number },
  });
  expect(events.map(({ type }) => type)).toEqual(['call.connected.v1', 'call.rehearsed.v1', 'call.ended.v1']);
});

test('An agent that is spoken over stops, and its words are those that were heard', async () => {
  const story = 'This is the story of a house by the river, of a brother and of his two children.';
  const { facts, said } = await play(
    {
      person: {
        lines: [
          {
            on: 'hello',
            say: 'Tell me.',
            interrupts: { after_ms: 300, say: 'Stop it now, I have heard enough.' },
          },
          { on: 'stopped', hang_up: true },
        ],
      },
    },
    { start: { greeting: 'Hello.' }, answers: [says(story), says('I have stopped.')] },
  );

  const [, , cut = ''] = said;
  expect(said).toEqual([
    'agent: Hello.',
    'user: Tell me.',
    cut,
    'user: Stop it now, I have heard enough.',
    'agent: I have stopped.',
  ]);
  expect(`agent: ${story}`.startsWith(cut)).toBe(true);
  expect(cut.length).toBeLessThan(story.length);
  expect(facts?.figures.interrupted_ms).toEqual(expect.any(Number));
});

test('The person of a spoken rehearsal presses a key, makes noise, is silent and hangs up', async () => {
  const { facts, said } = await play(
    {
      person: {
        hello: 'Hi.',
        lines: [{ on: 'press', dtmf: '1' }, { silence: 0.2 }, { noise: 0.3 }, { hang_up: true }],
      },
    },
    { answers: [says('Press a key.'), says('It was one.')] },
  );

  expect(said).toEqual(['user: Hi.', 'agent: Press a key.', 'user: DTMF 1', 'agent: It was one.']);
  expect(facts?.end).toEqual({ reason: 'user_hangup', by: 'user' });
});

test('A machine that answers a spoken rehearsal gets the message of the agent after its beep', async () => {
  const { facts, said } = await play(
    {
      person: { voicemail: 'This is the mailbox of Ada. Please leave a message.' },
      situation: { call_type: 'phonecall' },
    },
    {
      start: {
        greeting: 'Hello!',
        agent: agentOf({ voicemailConfig: { isEnabled: true, message: 'Please call us back.' } }),
      },
    },
  );

  expect(said).toEqual(['agent: Please call us back.']);
  expect(facts?.end).toEqual({ reason: 'voicemail_reached', by: 'agent' });
});

test('A runtime without speech plays no spoken rehearsal, and says so', async () => {
  const warm = () => Promise.reject(new Error('The file of the model is missing.'));
  const { end, warnings } = await play({ person: { lines: [] } }, {}, { ...simpleSpeech(), warm });

  expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_failed' });
  expect(warnings).toMatchObject([
    { text: 'This runtime can neither hear nor speak: The file of the model is missing.' },
  ]);
});

test('A rehearsal whose mode the runtime does not know is not played', async () => {
  const { end, facts } = await play({ mode: 'later' as 'audio', person: { lines: [] } });

  expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'error' });
  expect(facts).toBeUndefined();
});

test('A spoken rehearsal of an agent that is written to is not played', async () => {
  const { end, warnings } = await play(
    { person: { lines: [] } },
    { start: { agent: agentOf({ type: 'chat' }) } },
  );

  expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'error' });
  expect(warnings).toMatchObject([{ text: expect.stringContaining('is written to') as string }]);
});

describe('A runtime', () => {
  const signal = AbortSignal.timeout(60_000);

  test('plays one spoken rehearsal at once, and those that wait in the order in which they came', async () => {
    const places = new RehearsalPlaces(new WebPlaces(4));
    expect(await places.take('one', 'a', signal)).toBe(true);
    const taken: string[] = [];
    const take = (id: string, workspaceId: string) =>
      places.take(id, workspaceId, signal).then((isTaken) => isTaken && taken.push(id));
    const others = [take('two', 'b'), take('three', 'a')];
    places.leave('one');
    await until(() => taken.length === 1);
    expect(taken).toEqual(['two']);
    places.leave('two');
    await Promise.all(others);

    expect(taken).toEqual(['two', 'three']);
  });

  test('leaves the last free place to calls, and refuses a spoken rehearsal that waits for too long', async () => {
    const calls = new WebPlaces(3);
    const places = new RehearsalPlaces(calls, 300);
    const begin = (id: string, workspaceId: string) => calls.admit(id, workspaceId) && calls.take(id);
    expect([begin('one', 'a'), begin('two', 'b')]).toEqual([true, true]);
    expect(await places.take('rehearsal', 'c', signal)).toBe(false);
    calls.leave('two');
    expect(await places.take('rehearsal', 'c', signal)).toBe(true);
    expect([begin('two', 'b'), begin('three', 'b')]).toEqual([true, false]);
  });

  test('with one place plays no spoken rehearsal, and offers it to others at once', async () => {
    const places = new RehearsalPlaces(new WebPlaces(1), Infinity);
    const { end } = await play({ person: { lines: [] } }, { places });

    expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_busy' });
  });
});
