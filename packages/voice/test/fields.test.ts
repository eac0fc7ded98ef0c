import type { AnswerPart } from '../src/brain/brain';
import { LETTER_MS } from '../src/rehearsal/virtual-speech';
import { type TalkOptions, VirtualTalk } from './support/virtual-talk';

const LONG = 'This is a long story about a house by the river, and it does not end soon at all, as you hear.';

/** A person says something, and the agent answers. */
async function exchange(options: TalkOptions, words = 'A table, please', ms = 1_000) {
  const talk = new VirtualTalk(options);
  await talk.silence(200);
  await talk.says(words, ms);
  const spokeUntil = talk.now;
  await talk.answered();
  return { talk, gap: talk.voiceAfter(spokeUntil) - spokeUntil };
}

/** The agent speaks, and a person makes a sound of this many milliseconds. */
async function interruption(options: TalkOptions, words: string, ms: number) {
  const talk = new VirtualTalk({ call: { greeting: LONG }, ...options });
  await talk.silence(1_500);
  const from = talk.now;
  await talk.says(words, ms);
  return { talk, from, stoppedAfter: (talk.cleared[0] ?? Infinity) - from };
}

describe('The end of a turn', () => {
  test.each([
    [{ voiceConfig: { patienceLevel: 1 }, sttConfig: { waitseconds: 0 } }, 200],
    [{ voiceConfig: { patienceLevel: 3 }, sttConfig: { waitseconds: 0 } }, 600],
    [{ voiceConfig: { patienceLevel: 3 }, sttConfig: { waitseconds: 0, utterance_end_ms: 400 } }, 400],
    [{ sttConfig: { waitseconds: 2 } }, 2_000],
  ])('%j is answered after %i ms', async (agent, expected) => {
    const { gap } = await exchange({ agent });
    expect(gap).toBeGreaterThanOrEqual(expected);
    expect(gap).toBeLessThanOrEqual(expected + 100);
  });

  test('on_punctuation_second waits after a sentence only', async () => {
    const agent = { sttConfig: { waitseconds: 0, on_punctuation_second: 0.9 } };
    expect((await exchange({ agent }, 'A table.')).gap).toBeGreaterThanOrEqual(900);
    expect((await exchange({ agent }, 'A table')).gap).toBeLessThan(500);
  });
});

describe('An interruption', () => {
  test.each([0.1, 0.4])('voiceSeconds %d stops the agent within 300 ms more', async (voiceSeconds) => {
    const { stoppedAfter } = await interruption(
      { agent: { voiceConfig: { voiceSeconds } } },
      'Stop it',
      1_000,
    );
    expect(stoppedAfter).toBeGreaterThanOrEqual(voiceSeconds * 1_000);
    expect(stoppedAfter).toBeLessThanOrEqual(voiceSeconds * 1_000 + 300);
  });

  test('numberOfWords is the number of words that interrupt', async () => {
    const agent = { voiceConfig: { numberOfWords: 3 } };
    const few = await interruption({ agent }, 'Stop it', 600);
    await few.talk.silence(400);
    expect(few.talk.cleared).toEqual([]);
    const enough = await interruption({ agent }, 'Stop it now', 600);
    await enough.talk.silence(400);
    expect(enough.talk.cleared).toHaveLength(1);
  });

  test('vadEnabled false: voice without words stops nobody', async () => {
    const { talk } = await interruption({ agent: { sttConfig: { vadEnabled: false } } }, '', 1_500);
    await talk.silence(1_000);
    expect(talk.cleared).toEqual([]);
  });

  test.each([0, 3])(
    'the agent is silent for backOfSeconds, %d, after an interruption',
    async (backOfSeconds) => {
      const { talk, from, stoppedAfter } = await interruption(
        { agent: { voiceConfig: { backOfSeconds }, sttConfig: { waitseconds: 0 } } },
        'Stop it',
        500,
      );
      await talk.silence(5_000);
      const silentMs = talk.voiceAfter(from + stoppedAfter + 1) - from - stoppedAfter;
      if (backOfSeconds === 0) expect(silentMs).toBeLessThan(1_000);
      else expect(silentMs).toBeGreaterThanOrEqual(3_000);
    },
  );

  test('noise stops the agent, which goes on where it was', async () => {
    const { talk } = await interruption({}, '', 600);
    expect(talk.cleared).toHaveLength(1);
    await talk.answered();
    expect(talk.turns).toEqual([{ speaker: 'agent', text: LONG }]);
  });

  test('what was not heard is not in the transcript', async () => {
    const { talk } = await interruption({}, 'I want a table', 1_000);
    await talk.answered();
    expect(talk.turns.map(({ speaker }) => speaker)).toEqual(['agent', 'user', 'agent']);
    expect(LONG.startsWith(talk.turns[0]?.text ?? '?')).toBe(true);
    expect(talk.turns[0]?.text.length).toBeLessThan(1_900 / LETTER_MS + 10);
  });
});

test('a chat agent answers in writing, also if its client has audio', async () => {
  const talk = new VirtualTalk({ agent: { type: 'chat' }, call: { greeting: 'Good day!' } });
  await talk.says('This is not heard', 2_000);
  talk.conversation.read('A table, please');
  await talk.silence(2_000);
  expect(talk.turns.map(({ text }) => text)).toEqual(['Good day!', 'A table, please', 'A table, please']);
  expect([talk.spoken, talk.frames]).toEqual([[], []]);
});

describe('Reminders and limits', () => {
  test('idleReminders, in either order, ask a person who is silent', async () => {
    for (const idleReminders of [
      [true, 5],
      [5, true],
    ] as unknown as [boolean, number][]) {
      const talk = new VirtualTalk({ agent: { callConfig: { idleReminders } } });
      await talk.silence(6_000);
      expect(talk.spoken).toEqual(['Are you still there?']);
    }
  });

  test.each([
    ['silenceTimeout', { timeoutConfig: { silenceTimeout: 8 } }, 'inactivity', 8_000],
    ['maximumDuration', { timeoutConfig: { maximumDuration: 12 } }, 'max_duration_reached', 12_000],
    ['maxDuration', { callConfig: { maxDuration: 14 } }, 'max_duration_reached', 14_000],
    [
      'limitCallDuration',
      { callConfig: { limitCallDuration: [true, 10] as [boolean, number] } },
      'max_duration_reached',
      10_000,
    ],
  ])('%s ends the call with a goodbye', async (_, agent, reason, at) => {
    const talk = new VirtualTalk({ agent });
    for (let second = 0; second < 20 && !talk.end; second++) await talk.silence(1_000);
    expect(talk.end).toMatchObject({ reason, by: 'system' });
    expect(talk.end?.at).toBeGreaterThan(at);
    expect(talk.end?.at).toBeLessThan(at + 4_000);
    expect(talk.turns.at(-1)?.text).toMatch(/Goodbye/);
  });
});

describe('Words that are no part of what was said', () => {
  test('fillerWords: the agent says something while it thinks long', async () => {
    const slow = { thinksMs: 4_000, answers: ['Yes.'] };
    const silent = await exchange({ ...slow, agent: { fillerWords: false } });
    await silent.talk.silence(5_000);
    expect(silent.talk.spoken).toEqual(['Yes.']);
    const filled = await exchange({ ...slow, agent: { fillerWords: true } });
    await filled.talk.silence(5_000);
    expect(filled.talk.spoken).toEqual(['Let me see.', 'Yes.']);
    expect(filled.talk.turns.at(-1)?.text).toBe('Yes.');
  });

  test.each([
    [{ isEnabled: false, frequency: 1 }, 0],
    [{ isEnabled: true, frequency: 0 }, 0],
    [{ isEnabled: true, frequency: 0.5 }, 1],
    [{ isEnabled: true, frequency: 1 }, 2],
  ])('backChannelConfig %j says a word in %i of two pauses', async (config, times) => {
    const talk = new VirtualTalk({
      agent: {
        voiceConfig: { patienceLevel: 3 },
        backChannelConfig: { ...config, backchannelWords: ['Right.'] },
      },
    });
    for (let pause = 0; pause < 2; pause++) {
      await talk.says('and then', 6_500);
      await talk.silence(300);
    }
    await talk.says('and that was it', 500);
    expect(talk.spoken).toEqual(Array(times).fill('Right.'));
    expect(talk.turns).toEqual([]);
    await talk.answered();
    expect(talk.turns).toMatchObject([{ text: 'and then and then and that was it' }, { speaker: 'agent' }]);
  });

  test('backGroundNoiseEnv and Level are heard all the time, and less behind the voice', async () => {
    const levels = async (agent: TalkOptions['agent']) => {
      const talk = new VirtualTalk({ agent });
      await talk.silence(2_000);
      const quiet = talk.frames.map(({ level }) => level);
      return quiet.length === 0 ? 0 : quiet.reduce((sum, level) => sum + level, 0) / quiet.length;
    };
    const noise = (backGroundNoiseEnv: string | null, backGroundNoiseLevel: string) =>
      levels({ callConfig: { backGroundNoiseEnv, backGroundNoiseLevel } });
    expect(await noise(null, 'high')).toBe(0);
    expect(await noise('off', 'high')).toBe(0);
    const [low, high] = [await noise('cafe', 'low'), await noise('cafe', 'high')];
    expect(high / low).toBeGreaterThan(4);
    expect(20 * Math.log10(high / 32_768)).toBeGreaterThan(-28);
    expect(20 * Math.log10(high / 32_768)).toBeLessThan(-20);
  });
});

describe('An outgoing phone call', () => {
  const call = { call_type: 'phonecall', direction: 'outbound' } as const;
  const agent = (type: string, message: string | null) => ({
    voicemailConfig: { isEnabled: message !== null, message },
    callConfig: { voicemailDetection: { enabled: true, type } },
  });

  test('greets after the hello of the person, or after a moment', async () => {
    const start = { ...call, greeting: 'This is the front desk.' };
    const talk = new VirtualTalk({ call: start });
    await talk.silence(500);
    await talk.says('Hello?', 500);
    expect(talk.spoken).toEqual([]);
    await talk.answered();
    expect(talk.turns).toEqual([
      { speaker: 'user', text: 'Hello?' },
      { speaker: 'agent', text: 'This is the front desk.' },
    ]);
    const quiet = new VirtualTalk({ call: start });
    await quiet.silence(1_400);
    expect(quiet.spoken).toEqual([]);
    await quiet.silence(200);
    expect(quiet.spoken).toEqual(['This is the front desk.']);
  });

  const GREETING = 'Please leave a message after the tone';

  test('leaves its message after the beep of a voicemail', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', 'Call {{customer}} back.') });
    await talk.says('We are not at home', 2_000);
    await talk.tone(1_000, 400);
    await talk.answered();
    expect(talk.spoken).toEqual(['Call Ada back.']);
    expect(talk.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
  });

  test('knows a voicemail by its words, and waits for the end of its greeting', async () => {
    const talk = new VirtualTalk({ call, agent: agent('transcript', 'Call back.') });
    await talk.says(GREETING, 2_000);
    await talk.silence(1_500);
    expect(talk.spoken).toEqual([]);
    await talk.silence(1_000);
    await talk.answered();
    expect(talk.spoken).toEqual(['Call back.']);
    expect(talk.end).toMatchObject({ reason: 'voicemail_reached' });
  });

  test('knows a voicemail by the words that a carrier hears, and waits until no more come', async () => {
    const said: string[] = [];
    const remoteVoice = { say: (text: string) => void said.push(text), drop: () => undefined };
    const talk = new VirtualTalk({ call, agent: agent('audio', 'Call back.'), remoteVoice });
    await talk.noAudio(1_000);
    talk.conversation.read(GREETING);
    await talk.noAudio(1_500);
    talk.conversation.read('Or press one to be called back');
    await talk.noAudio(1_500);
    expect(said).toEqual([]);
    await talk.noAudio(1_000);
    expect(said).toEqual(['Call back.']);
    expect(talk.turns).toEqual([]);
    const patient = { ...agent('transcript', null), timeoutConfig: { silenceTimeout: 120 } };
    const late = new VirtualTalk({ call, agent: patient, remoteVoice });
    await late.noAudio(61_000);
    late.conversation.read(GREETING);
    await late.noAudio(100);
    expect(late.turns).toEqual([{ speaker: 'user', text: GREETING }]);
  });

  const MESSAGE = 'Please call us back at any time.';

  test('leaves its message after the last beep of a voicemail', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', MESSAGE) });
    await talk.says('We are not at home', 2_000);
    await talk.tone(1_000, 400);
    await talk.silence(300);
    await talk.tone(1_000, 400);
    const beeped = talk.now;
    await talk.answered();
    expect(talk.voiceAfter(0)).toBeGreaterThan(beeped);
    expect(talk.spoken).toEqual([MESSAGE]);
  });

  test.each(['beep', 'machine'] as const)(
    'says its message again, as a whole, if a greeting goes on of which the carrier said: %s',
    async (answerer) => {
      const talk = new VirtualTalk({ call, agent: agent('audio', MESSAGE) });
      await talk.says('We are not at home', 1_000);
      talk.conversation.answeredBy(answerer);
      await talk.silence(answerer === 'beep' ? 1_500 : 2_500);
      expect(talk.isSpeaking).toBe(true);
      await talk.says('But you can leave a message', 1_000);
      expect(talk.isSpeaking).toBe(false);
      await talk.tone(1_000, 400);
      // The carrier reports the same beep.
      await talk.silence(1_300);
      talk.conversation.answeredBy('beep');
      await talk.answered();
      expect(talk.spoken).toEqual([MESSAGE, MESSAGE]);
      expect(talk.turns.at(-1)).toEqual({ speaker: 'agent', text: MESSAGE });
      expect(talk.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
    },
  );

  test('says its message again after a beep during the message, and not for a short noise', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', MESSAGE) });
    talk.conversation.answeredBy('beep');
    await talk.silence(1_500);
    expect(talk.isSpeaking).toBe(true);
    await talk.says('', 200);
    await talk.silence(200);
    expect(talk.isSpeaking).toBe(true);
    await talk.tone(1_000, 200);
    await talk.answered();
    expect(talk.spoken).toEqual([MESSAGE, MESSAGE]);
    expect(talk.turns.at(-1)?.text).toBe(MESSAGE);
  });

  test('waits for no greeting longer than 30 s', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', MESSAGE) });
    await talk.says('This is a recording', 32_000);
    expect(talk.isSpeaking).toBe(false);
    await talk.says('without an end', 3_000);
    expect(talk.isSpeaking).toBe(true);
    await talk.says('and it goes on', 3_000);
    expect(talk.spoken).toEqual([MESSAGE]);
    expect(talk.end).toMatchObject({ reason: 'voicemail_reached' });
  });

  test('says its message again if a carrier that hears has stopped it for the greeting', async () => {
    const said: string[] = [];
    const remoteVoice = { say: (text: string) => void said.push(text), drop: () => 'Please' };
    const talk = new VirtualTalk({ call, agent: agent('audio', MESSAGE), remoteVoice });
    talk.conversation.answeredBy('beep');
    await talk.noAudio(1_100);
    expect(said).toEqual([MESSAGE]);
    talk.conversation.interrupted();
    talk.conversation.read('But you can leave a message');
    await talk.noAudio(1_900);
    expect(talk.end).toBeUndefined();
    await talk.noAudio(200);
    expect(said).toEqual([MESSAGE, MESSAGE]);
  });

  test('hangs up on a fax machine', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', MESSAGE) });
    talk.conversation.answeredBy('fax');
    await talk.silence(100);
    expect(talk.spoken).toEqual([]);
    expect(talk.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
  });

  test('hangs up where it has no message', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', null) });
    await talk.tone(880, 400);
    await talk.silence(200);
    expect(talk.spoken).toEqual([]);
    expect(talk.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
  });

  test('knows a voicemail by a greeting without a pause', async () => {
    const talk = new VirtualTalk({ call, agent: agent('audio', null) });
    await talk.silence(500);
    await talk.says('Hello', 1_500);
    await talk.silence(2_000);
    expect(talk.end).toBeUndefined();
    const machine = new VirtualTalk({ call, agent: agent('audio', null) });
    await machine.says('This is a recording', 4_500);
    await machine.silence(100);
    expect(machine.end).toMatchObject({ reason: 'voicemail_reached' });
  });

  test.each([
    ['no detection', { voicemailConfig: { isEnabled: false, message: null } }, call],
    ['a web call', agent('', null), { call_type: 'webcall' } as const],
    ['an incoming call', agent('', null), { ...call, direction: 'inbound' } as const],
    ['a detection by words, which hears a beep', agent('transcript', null), call],
  ])('%s: nobody is taken for a machine', async (_, fields, start) => {
    const talk = new VirtualTalk({ call: start, agent: fields });
    if (_ !== 'a detection by words, which hears a beep') await talk.says(GREETING, 2_000);
    await talk.tone(1_000, 400);
    await talk.silence(3_000);
    expect(talk.end).toBeUndefined();
  });
});

test('vocabulary: names are written as the agent expects them', async () => {
  const agent = {
    sttConfig: { keywords: ['Parley:2'], keyterms: ['Krankenhaus Mitte'] },
    customVocabulary: ['Siobhan'],
  };
  const { talk } = await exchange({ agent }, 'Is parly near the cranken house mitte?');
  expect(talk.turns[0]?.text).toBe('Is Parley near the Krankenhaus Mitte?');
  const plain = await exchange({}, 'Is parly near the cranken house mitte?');
  expect(plain.talk.turns[0]?.text).toBe('Is parly near the cranken house mitte?');
});

test('speed: a fast voice needs less time', async () => {
  const seconds = async (speed: number) => {
    const talk = new VirtualTalk({ call: { greeting: LONG }, agent: { voiceConfig: { speed } } });
    await talk.answered();
    return talk.frames.length / 50;
  };
  expect((await seconds(2)) / (await seconds(1))).toBeCloseTo(0.5, 1);
});

test('the first sentence of an answer is spoken before the second one is written', async () => {
  const parts: AnswerPart[] = [
    { type: 'text', text: 'This is the first sentence. ' },
    { type: 'text', text: 'And the second.' },
  ];
  const { talk } = await exchange({ answers: [parts] });
  expect(talk.spoken).toEqual(['This is the first sentence.', 'And the second.']);
});
