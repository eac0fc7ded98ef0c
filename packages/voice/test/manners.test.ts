import { VirtualTalk } from './support/virtual-talk';

const LONG = 'This is a long story about a house by the river, and it does not end soon at all, as you hear.';
const APOLOGY = 'I am sorry, something does not work here. Goodbye.';

/** Until the call has ended, for a minute at most. */
async function untilEnded(talk: VirtualTalk): Promise<void> {
  for (let second = 0; second < 60 && !talk.end; second++) await talk.silence(1_000);
}

test('both at once: the person who begins with the agent is listened to', async () => {
  const talk = new VirtualTalk({ call: { greeting: LONG } });
  await talk.says('I want a table', 1_500);
  await talk.answered();
  expect(talk.turns.map(({ speaker }) => speaker).slice(-2)).toEqual(['user', 'agent']);
  expect(talk.turns.find(({ speaker }) => speaker === 'user')?.text).toBe('I want a table');
  expect(talk.cleared[0]).toBeLessThan(200 + 300);
});

test('who goes on before the first sound of an answer is answered once, with everything that was said', async () => {
  const talk = new VirtualTalk({ agent: { sttConfig: { waitseconds: 2 } } });
  await talk.says('A table', 800);
  await talk.silence(600);
  await talk.says('for two', 800);
  await talk.answered();
  expect(talk.turns.filter(({ speaker }) => speaker === 'agent')).toHaveLength(1);
  await talk.says('Hello', 800);
  await talk.answered();
  expect(talk.turns.at(-1)).toEqual({ speaker: 'agent', text: 'Hello' });
});

test.each(['fails', 'comes late'])(
  'the text of a short pause that %s changes nothing when the person goes on',
  async (how) => {
    let settle: () => void = () => undefined;
    let requests = 0;
    const talk = new VirtualTalk({
      agent: { voiceConfig: { patienceLevel: 3 } },
      recognizes: (text) =>
        ++requests > 1
          ? Promise.resolve(text)
          : new Promise((resolve, reject) => {
              settle = () => (how === 'fails' ? reject(new Error('It was requested again')) : resolve(text));
            }),
    });
    await talk.says('A table', 800);
    await talk.silence(200);
    await talk.says('for two', 800);
    await talk.silence(200);
    settle();
    await talk.answered();
    expect(talk.turns[0]).toEqual({ speaker: 'user', text: 'A table for two' });
    expect(talk.problems).toEqual([]);
    expect(requests).toBe(2);
  },
);

test('who talks without a pause is answered after a minute', async () => {
  const talk = new VirtualTalk();
  await talk.says('and so on', 62_000);
  expect(talk.turns[0]).toEqual({ speaker: 'user', text: 'and so on' });
  await talk.answered();
  expect(talk.turns[1]).toMatchObject({ speaker: 'agent' });
  expect(talk.end).toBeUndefined();
});

test('music without words does not keep a call open', async () => {
  const talk = new VirtualTalk({ agent: { timeoutConfig: { silenceTimeout: 20 } } });
  await talk.says('', 25_000);
  expect(talk.end).toMatchObject({ reason: 'inactivity', by: 'system' });
});

test('a person who says nothing is said goodbye to, and noise is nobody', async () => {
  const talk = new VirtualTalk({ agent: { timeoutConfig: { silenceTimeout: 10 } } });
  for (let noise = 0; noise < 8; noise++) {
    await talk.says('', 300);
    await talk.silence(1_000);
  }
  await untilEnded(talk);
  expect(talk.end).toMatchObject({ reason: 'inactivity', by: 'system' });
  expect(talk.turns.map(({ speaker }) => speaker)).toEqual(['agent']);
});

test('a person who says "yeah" to a long answer does not end the call', async () => {
  const answer = LONG.repeat(8);
  const talk = new VirtualTalk({ answers: [answer], agent: { voiceConfig: { numberOfWords: 2 } } });
  await talk.says('Tell me', 800);
  await talk.silence(2_000);
  await talk.says('Yeah', 1_000);
  await talk.silence(35_000);
  expect(talk.end).toBeUndefined();
  await talk.answered();
  expect(talk.turns.at(-1)).toEqual({ speaker: 'agent', text: answer });
});

test('who stops sending audio in the middle of a word is answered', async () => {
  const talk = new VirtualTalk();
  await talk.says('A table for two', 800);
  await talk.noAudio(500);
  expect(talk.turns).toEqual([]);
  await talk.noAudio(2_000);
  expect(talk.turns[0]).toEqual({ speaker: 'user', text: 'A table for two' });
});

test('who is cut off in the middle of a word goes on after the return', async () => {
  const talk = new VirtualTalk();
  await talk.says('A table', 800);
  talk.conversation.lost();
  await talk.noAudio(4_000);
  expect(talk.turns).toEqual([]);
  talk.conversation.returned();
  await talk.says('for two', 800);
  await talk.answered();
  expect(talk.turns[0]).toEqual({ speaker: 'user', text: 'A table for two' });
});

test('who is cut off and sends no audio after the return is answered', async () => {
  const talk = new VirtualTalk();
  await talk.says('A table', 800);
  talk.conversation.lost();
  await talk.noAudio(2_000);
  talk.conversation.returned();
  await talk.noAudio(2_500);
  expect(talk.turns[0]).toEqual({ speaker: 'user', text: 'A table' });
});

test('a digit is a turn, also while the agent speaks', async () => {
  const talk = new VirtualTalk({ call: { greeting: LONG } });
  await talk.silence(1_000);
  talk.conversation.dtmf('1');
  await talk.answered();
  expect(talk.turns.slice(1)).toEqual([
    { speaker: 'user', text: 'DTMF 1' },
    { speaker: 'agent', text: 'DTMF 1' },
  ]);
});

test('a connection that is cut while the agent speaks loses none of its words', async () => {
  const talk = new VirtualTalk({ call: { greeting: LONG } });
  await talk.silence(1_000);
  talk.conversation.lost();
  const sent = talk.frames.length;
  await talk.silence(3_000);
  expect(talk.frames).toHaveLength(sent);
  talk.conversation.returned();
  await talk.answered();
  expect(talk.turns).toEqual([{ speaker: 'agent', text: LONG }]);
});

describe('A failure ends the call with an apology, as an error', () => {
  test.each([
    ['a language model that fails', { fails: new Error('The model answered 503') }],
    ['a language model that never answers', { thinksMs: Infinity }],
  ])('%s', async (_, options) => {
    const talk = new VirtualTalk(options);
    await talk.says('A table', 800);
    await untilEnded(talk);
    expect(talk.end).toMatchObject({ reason: 'error', by: 'system' });
    expect(talk.spoken.join(' ')).toBe(APOLOGY);
  });

  test.each([
    ['after its first sentences', { hangs: true, answers: ['Sure. Let me look. '] }, 'Sure. Let me look.'],
    ['after a filler', { agent: { fillerWords: true }, thinksMs: Infinity }, 'Let me see.'],
    ['after punctuation', { hangs: true, answers: ['. . . . . . . . . . . . '] }, ''],
  ])('a language model that never goes on %s', async (_, options, before) => {
    const talk = new VirtualTalk(options);
    await talk.says('A table', 800);
    await untilEnded(talk);
    expect(talk.end).toMatchObject({ reason: 'error', by: 'system' });
    expect(talk.spoken.join(' ')).toBe(`${before} ${APOLOGY}`.trim());
  });

  test('a voice that fails, without the apology that nobody could hear', async () => {
    const talk = new VirtualTalk({ isMute: true, call: { greeting: LONG } });
    await talk.silence(1_000);
    expect(talk.end).toMatchObject({ reason: 'error', by: 'system' });
    expect(talk.problems).toContain('No voice');
  });
});

test('an agent whose turns are all interrupted hangs up after the second one since an opt-out', async () => {
  const talk = new VirtualTalk({
    answers: Array.from({ length: 6 }, () => 'There is one more offer that you may like. '.repeat(9)),
  });
  talk.conversation.hasOptedOut = true;
  for (let count = 0; count < 6 && !talk.end; count += 1) {
    await talk.says('No, thank you very much, I do not want that.', 2_000);
    await talk.silence(2_500);
  }

  expect(talk.turns.filter(({ speaker }) => speaker === 'agent')).toHaveLength(2);
  expect(talk.end).toMatchObject({ reason: 'agent_hangup', by: 'agent' });
});
