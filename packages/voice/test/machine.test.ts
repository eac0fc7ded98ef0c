import {
  type Effect,
  type Event,
  initialMachine,
  isAnswerDue,
  type Machine,
  step,
  type TimerName,
  type TurnPlan,
} from '../src/conversation/machine';
import { VirtualClock } from '../src/rehearsal/virtual-clock';

const PLAN: TurnPlan = {
  turns: { endOfTurnMs: 300, endOfSentenceMs: 300, waitMs: 400, helloMs: 0 },
  interruption: { words: 0, voiceMs: 200, backOffMs: 1_000, byVoice: true },
  lastResort: 'apologise',
  limits: { silenceMs: 30_000, maximumMs: 600_000 },
};

/** Runs a machine: its timers fire in virtual time, everything else is asked of the test. */
function run(changes: Partial<TurnPlan> = {}) {
  const clock = new VirtualClock();
  const timers = new Map<TimerName, () => void>();
  const done: Effect[] = [];
  let machine: Machine = initialMachine;
  const handle = (event: Event): void => {
    const [next, effects] = step(machine, event, { ...PLAN, ...changes }, clock.now());
    machine = next;
    for (const effect of effects) {
      if (effect.do === 'timer' || effect.do === 'cancel') {
        timers.get(effect.name)?.();
        timers.delete(effect.name);
      }
      if (effect.do === 'timer') {
        timers.set(
          effect.name,
          clock.after(effect.ms, () => handle({ type: 'timer', name: effect.name })),
        );
      } else if (effect.do !== 'cancel') done.push(effect);
    }
  };
  return {
    clock,
    handle,
    get state() {
      return machine.state;
    },
    /** Returns the effects since the last call. */
    done: () => done.splice(0).map((effect) => effect.do),
    effects: done,
    greeted() {
      handle({ type: 'answered' });
      handle({ type: 'answer-started' });
      handle({ type: 'answer-played', ends: false });
      done.length = 0;
    },
    /** A person says something: 100 ms of silence are a pause, and the text comes 200 ms later. */
    says(text: string, ms = 1_000) {
      handle({ type: 'voice-started' });
      clock.advance(ms);
      handle({ type: 'voice-paused', silentMs: 100 });
      clock.advance(200);
      handle({ type: 'heard', text, final: true });
    },
  };
}

test('an answer that the line stopped is over, and so is the call if it was the last one', () => {
  const talk = run({ reminder: { afterMs: 10_000, times: 1 } });
  talk.handle({ type: 'answered' });
  talk.handle({ type: 'answer-started' });
  talk.handle({ type: 'answer-cut' });
  expect([talk.state, talk.done()]).toEqual(['idle', ['greet', 'stop']]);
  talk.clock.advance(10_000);
  expect([talk.state, talk.done()]).toEqual(['speaking', ['say']]);
  talk.handle({ type: 'answer-played', ends: false });
  talk.clock.advance(30_000);
  expect([talk.state, talk.done()]).toEqual(['ending', ['stop', 'say']]);
  talk.handle({ type: 'answer-cut' });
  expect([talk.state, talk.done()]).toEqual(['ended', ['stop', 'end']]);
});

test('a conversation goes from the greeting to an answer and back', () => {
  const talk = run();
  talk.handle({ type: 'answered' });
  expect([talk.state, talk.done()]).toEqual(['speaking', ['greet']]);
  talk.handle({ type: 'answer-started' });
  talk.handle({ type: 'answer-played', ends: false });
  expect(talk.state).toBe('idle');
  talk.handle({ type: 'voice-started' });
  expect(talk.state).toBe('listening');
  talk.handle({ type: 'voice-paused', silentMs: 100 });
  talk.clock.advance(150);
  talk.handle({ type: 'heard', text: 'A table, please', final: true });
  expect([talk.state, talk.done()]).toEqual(['listening', ['recognize']]);
  talk.clock.advance(50);
  expect([talk.state, talk.done()]).toEqual(['thinking', ['next-utterance', 'answer']]);
  talk.handle({ type: 'answer-started' });
  expect(talk.state).toBe('speaking');
  talk.handle({ type: 'answer-played', ends: false });
  expect(talk.state).toBe('idle');
});

test('a late text ends the turn when it comes', () => {
  const talk = run();
  talk.greeted();
  talk.says('A table, please');
  talk.clock.advance(0);
  expect(talk.state).toBe('thinking');
});

test('no sound of an answer comes earlier than the wait after the end of speech', () => {
  const talk = run();
  talk.greeted();
  talk.says('A table, please');
  const answer = talk.effects.find((effect) => effect.do === 'answer');
  expect(answer).toMatchObject({ text: 'A table, please', notBefore: talk.clock.now() - 300 + 400 });
});

test('a person who goes on after a pause is not answered in between', () => {
  const talk = run();
  talk.greeted();
  talk.handle({ type: 'voice-started' });
  talk.handle({ type: 'voice-paused', silentMs: 100 });
  talk.clock.advance(100);
  talk.handle({ type: 'voice-started' });
  talk.handle({ type: 'heard', text: 'A table', final: true });
  talk.clock.advance(5_000);
  expect(talk.state).toBe('listening');
  talk.handle({ type: 'voice-paused', silentMs: 100 });
  talk.handle({ type: 'heard', text: 'A table for two', final: true });
  talk.clock.advance(200);
  expect(talk.effects.filter((effect) => effect.do === 'answer')).toMatchObject([
    { text: 'A table for two' },
  ]);
});

test('the silence after a sentence is the one for punctuation', () => {
  const talk = run({ turns: { ...PLAN.turns, endOfSentenceMs: 900, waitMs: 0 } });
  talk.greeted();
  talk.says('A table.');
  talk.clock.advance(599);
  expect(talk.state).toBe('listening');
  talk.clock.advance(1);
  expect(talk.state).toBe('thinking');
});

test('noise without words is no turn', () => {
  const talk = run();
  talk.greeted();
  talk.says('');
  expect([talk.state, talk.done()]).toEqual(['idle', ['recognize', 'next-utterance']]);
});

describe('While the agent speaks', () => {
  const speaking = (changes: Partial<TurnPlan> = {}) => {
    const talk = run(changes);
    talk.handle({ type: 'answered' });
    talk.handle({ type: 'answer-started' });
    talk.done();
    return talk;
  };

  test('voice stops it after the time that the agent asks for', () => {
    const talk = speaking();
    talk.handle({ type: 'voice-started' });
    talk.clock.advance(199);
    expect(talk.done()).toEqual([]);
    talk.clock.advance(1);
    expect([talk.state, talk.done()]).toEqual(['interrupted', ['stop']]);
  });

  test('an interruption is answered, and not before the back-off is over', () => {
    const talk = speaking();
    talk.handle({ type: 'voice-started' });
    talk.clock.advance(200);
    const interruptedAt = talk.clock.now();
    talk.handle({ type: 'voice-paused', silentMs: 100 });
    talk.handle({ type: 'heard', text: 'Stop', final: true });
    talk.clock.advance(200);
    expect(talk.state).toBe('thinking');
    expect(talk.effects.at(-1)).toMatchObject({
      do: 'answer',
      text: 'Stop',
      notBefore: interruptedAt + 1_000,
    });
  });

  test('noise that interrupted it makes it go on', () => {
    const talk = speaking();
    talk.says('');
    expect([talk.state, talk.done()]).toEqual([
      'speaking',
      ['stop', 'recognize', 'next-utterance', 'resume'],
    ]);
  });

  test('a short sound does not stop it', () => {
    const talk = speaking();
    talk.says('', 150);
    talk.clock.advance(1_000);
    expect([talk.state, talk.done()]).toEqual(['speaking', ['recognize', 'next-utterance']]);
  });

  test('as many words as the agent asks for stop it', () => {
    const talk = speaking({ interruption: { ...PLAN.interruption, words: 3 } });
    talk.handle({ type: 'voice-started' });
    talk.clock.advance(2_000);
    talk.handle({ type: 'heard', text: 'Please wait', final: false });
    expect(talk.state).toBe('speaking');
    talk.handle({ type: 'heard', text: 'Please wait a moment', final: false });
    expect(talk.state).toBe('interrupted');
  });

  test('a word of a listener does not stop it', () => {
    const talk = speaking({ interruption: { ...PLAN.interruption, byVoice: false } });
    talk.says('Uh-huh.');
    expect(talk.state).toBe('speaking');
    talk.says('No.');
    expect(talk.state).toBe('thinking');
  });

  test('what was begun before its end is heard as a turn', () => {
    const talk = speaking();
    talk.handle({ type: 'voice-started' });
    talk.clock.advance(100);
    talk.handle({ type: 'answer-played', ends: false });
    expect(talk.state).toBe('listening');
  });
});

describe('Without a word of the person', () => {
  test('the agent reminds as often as it is asked to, and ends the call after the silence', () => {
    const talk = run({ reminder: { afterMs: 10_000, times: 2 } });
    talk.greeted();
    for (const expected of [['say'], ['say']]) {
      talk.clock.advance(10_000);
      expect(talk.done()).toEqual(expected);
      talk.handle({ type: 'answer-started' });
      talk.handle({ type: 'answer-played', ends: false });
    }
    talk.clock.advance(29_999);
    expect(talk.state).toBe('idle');
    talk.clock.advance(1);
    expect(talk.state).toBe('ending');
    talk.handle({ type: 'answer-played', ends: false });
    expect(talk.effects.at(-1)).toEqual({ do: 'end', end: { reason: 'inactivity', by: 'system' } });
  });

  test('noise does not keep the call open', () => {
    const talk = run();
    talk.greeted();
    for (let second = 0; second < 29; second++) {
      talk.says('', 600);
      talk.clock.advance(200);
    }
    talk.clock.advance(2_000);
    expect(talk.state).toBe('ending');
  });
});

test.each(['idle', 'speaking', 'listening'])('a call that is %s ends at its longest duration', (state) => {
  const talk = run({ limits: { silenceMs: 3_600_000, maximumMs: 60_000 } });
  talk.greeted();
  if (state !== 'idle') talk.handle({ type: 'voice-started' });
  if (state === 'speaking') {
    talk.says('And then');
    talk.clock.advance(100);
    talk.handle({ type: 'answer-started' });
  }
  expect(talk.state).toBe(state);
  talk.clock.advance(60_000);
  expect(talk.state).toBe('ending');
  talk.clock.advance(15_000);
  expect(talk.effects.at(-1)).toEqual({ do: 'end', end: { reason: 'max_duration_reached', by: 'system' } });
});

test('music does not keep a turn open for more than a minute', () => {
  const talk = run();
  talk.greeted();
  talk.handle({ type: 'voice-started' });
  talk.handle({ type: 'heard', text: 'La la', final: false });
  talk.clock.advance(29_000);
  talk.handle({ type: 'heard', text: 'La la la', final: false });
  talk.clock.advance(29_000);
  talk.handle({ type: 'heard', text: 'La la la la', final: false });
  talk.clock.advance(2_000);
  talk.handle({ type: 'heard', text: 'La la la la', final: true });
  talk.clock.advance(0);
  expect(talk.state).toBe('thinking');
});

test('an answer that never comes ends the call with an apology', () => {
  const talk = run();
  talk.greeted();
  talk.says('Hello');
  talk.clock.advance(30_000);
  expect([talk.state, talk.effects.at(-1)]).toEqual(['ending', { do: 'say', what: 'apology' }]);
});

test('a failure is apologised for, and a failure of the apology ends the call', () => {
  const talk = run();
  talk.greeted();
  talk.handle({ type: 'failed' });
  expect([talk.state, talk.done()]).toEqual(['ending', ['stop', 'say']]);
  talk.handle({ type: 'failed' });
  expect(talk.effects.at(-1)).toEqual({ do: 'end', end: { reason: 'error', by: 'system' } });
});

test('the agent ends the call after its last words', () => {
  const talk = run();
  talk.greeted();
  talk.says('Goodbye');
  talk.handle({ type: 'answer-started' });
  talk.handle({ type: 'answer-played', ends: true });
  expect(talk.effects.at(-1)).toEqual({ do: 'end', end: { reason: 'agent_hangup', by: 'agent' } });
  talk.done();
  talk.handle({ type: 'said', text: 'Too late' });
  expect(talk.done()).toEqual([]);
});

test('after an interruption an answer is due as soon as the person pauses', () => {
  const interrupted: Machine = { ...initialMachine, state: 'interrupted' };
  expect(isAnswerDue({ ...interrupted, voice: true })).toBe(false);
  expect(isAnswerDue(interrupted)).toBe(true);
});

test('a failure transfers a person, and does not transfer an answering machine', () => {
  const plan: TurnPlan = { ...PLAN, lastResort: 'transfer' };
  const fail = (state: Machine['state']) => {
    const [{ end }, effects] = step({ ...initialMachine, state }, { type: 'failed' }, plan, 0);
    return [end?.reason, effects.find((effect) => effect.do === 'say')?.what];
  };
  expect(fail('thinking')).toEqual(['call_transfer', 'transfer']);
  expect(fail('voicemail')).toEqual(['error', 'apology']);
});
