import type { Plan } from '../agent/plan';

/**
 * The state machine of a conversation, as a pure function: {@link step} takes the machine and an event, and returns the
 * next machine and the effects to perform. README.md has the same diagram with words.
 *
 *              speech              end of turn               first sound
 *     IDLE ──────────────▶ LISTENING ──────────▶ THINKING ──────────────▶ SPEAKING
 *      ▲ │ ▲                 │    ▲                 │ │                     │  │ │
 *      │ │ └── nothing said ─┘    └──── speech ─────┘ │                     │  │ │
 *      │ │                        ▲                   │                     │  │ │
 *      │ └─ reminder ─▶ SPEAKING  └── INTERRUPTED ◀───┼────── barge-in ─────┘  │ │
 *      │                                 │            │                        │ │
 *      │                                 └─ nothing said: SPEAKING goes on     │ │
 *      └────────────────────────── everything was played ─────────────────────┘ │
 *                                                                                │
 *     any state ── a machine answered ─▶ VOICEMAIL ── silence after its words or beeps ─▶ ENDING
 *                                            ▲──────── its greeting goes on, or beeps ───────┘
 *     any state ── silence, time limit, failure, the agent's end of the call ──▶ ENDING ──▶ ENDED
 */
export type State =
  'idle' | 'listening' | 'thinking' | 'speaking' | 'interrupted' | 'voicemail' | 'ending' | 'ended';

export type EndReason =
  | 'user_hangup'
  | 'agent_hangup'
  | 'call_transfer'
  | 'voicemail_reached'
  | 'inactivity'
  | 'max_duration_reached'
  | 'cancelled'
  | 'error';
export interface End {
  reason: EndReason;
  by: 'user' | 'agent' | 'system';
}

export type TimerName =
  | 'turn'
  | 'barge-in'
  | 'reminder'
  | 'silence'
  | 'answer'
  | 'maximum'
  | 'utterance'
  | 'hello'
  | 'voicemail'
  | 'voicemail-limit'
  | 'ending';

export type Event =
  | { type: 'answered' }
  /** The person's voice began, or paused. `silentMs`: how much of the silence has passed. */
  | { type: 'voice-started' }
  | { type: 'voice-paused'; silentMs: number }
  /** The text of the utterance so far; `final`: up to the last pause. */
  | { type: 'heard'; text: string; final: boolean }
  /** A whole turn at once: typed, or a digit. */
  | { type: 'said'; text: string }
  /** The first sound of the answer is sent. */
  | { type: 'answer-started' }
  /** Everything that is known of the answer was played, and the answer is not complete. */
  | { type: 'answer-awaited' }
  /** Everything of the answer was played. `ends`: the agent ends the call with it. */
  | { type: 'answer-played'; ends: boolean }
  /** The line stopped the answer, because it heard the person. Words of the person may follow as a turn. */
  | { type: 'answer-cut' }
  /** A tool has ended after its answer, and the agent has not said what came of it. */
  | { type: 'tool-ended' }
  | { type: 'timer'; name: TimerName }
  /** No person answered. `beep`: its recording has begun. `isHeard`: the audio says so, and not the carrier. */
  | { type: 'machine-answered'; beep: boolean; isHeard: boolean }
  /** The brain, or the speech of the machine, failed for good. */
  | { type: 'failed' }
  | { type: 'closed'; end: End };

export type Effect =
  | { do: 'greet' }
  /** The text of the utterance is needed. */
  | { do: 'recognize' }
  /** The utterance is over; what follows is another one. */
  | { do: 'next-utterance' }
  /** Answers the turn of the person, or its hello with the greeting. No sound of the answer before `notBefore`. */
  | { do: 'answer'; text: string; notBefore: number; greets: boolean }
  /** Says what came of a tool. */
  | { do: 'answer-tool' }
  /** Stops the answer, also while it is thought of. `keep`: it may go on. */
  | { do: 'stop'; keep: boolean }
  /** Continues the answer that was stopped, where it was stopped. */
  | { do: 'resume' }
  | { do: 'say'; what: 'reminder' | 'goodbye' | 'apology' | 'message' | 'transfer' }
  /** A word of a listener, which is no part of what was said. */
  | { do: 'back-channel' }
  | { do: 'timer'; name: TimerName; ms: number }
  | { do: 'cancel'; name: TimerName }
  | { do: 'end'; end: End };

export interface Machine {
  readonly state: State;
  /** Whether the person's voice is heard now. */
  readonly voice: boolean;
  /** The time at which the person's last speech ended. */
  readonly spokeUntil: number;
  /** The text up to the last pause, once it is recognised. */
  readonly text?: string;
  /** Whether the utterance began while the agent spoke or thought, and has not interrupted it yet. */
  readonly overlaps: boolean;
  readonly interruptedAt: number;
  readonly reminders: number;
  /** Whether the greeting was not said yet, because the person may say hello first. */
  readonly awaitsHello: boolean;
  /** The time at which the utterance began. */
  readonly spokeSince: number;
  readonly backChannel: { readonly saidAt: number; readonly due: number };
  /** A machine has answered. Its greeting is waited for until then. `hasBeeped`: it beeped after its last words. */
  readonly voicemail?: { readonly until: number; readonly hasBeeped: boolean };
  readonly end?: End;
}

export type TurnPlan = Pick<
  Plan,
  'turns' | 'interruption' | 'limits' | 'reminder' | 'backChannel' | 'voicemail' | 'lastResort'
>;

/** A turn ends after this much speech, also without a pause: music, or a person who does not stop. */
export const MAX_UTTERANCE_MS = 60_000;
/** The last words of the agent take no longer. */
export const MAX_ENDING_MS = 15_000;
/** In the middle of an answer the agent is silent no longer: the wait for tools and two requests to a model fit in it. */
const MAX_AWAITED_MS = 20_000;
/** A message for a voicemail may take longer. */
const MAX_MESSAGE_MS = 90_000;
/** A greeting without a beep is over after this much silence. */
const VOICEMAIL_SILENCE_MS = 2_000;
/** Some machines beep twice, and a carrier reports the first beep. */
const AFTER_BEEP_MS = 1_000;
/** If a machine speaks for this long during the message, its greeting had only paused. */
const GREETING_GOES_ON_MS = 400;
const MAX_GREETING_MS = 30_000;
/** The time of speech after which a pause gets a sign of the listener, and the time until the next sign. */
const BACK_CHANNEL_AFTER_MS = 4_000;
const BACK_CHANNEL_REST_MS = 6_000;

export const initialMachine: Machine = {
  state: 'idle',
  voice: false,
  spokeUntil: 0,
  overlaps: false,
  interruptedAt: -Infinity,
  reminders: 0,
  awaitsHello: false,
  spokeSince: 0,
  backChannel: { saidAt: -Infinity, due: 0 },
};

type Step = [Machine, Effect[]];

/** @param now in milliseconds, of the clock by which the plan is kept */
export function step(machine: Machine, event: Event, plan: TurnPlan, now: number): Step {
  if (machine.state === 'ended') return [machine, []];
  switch (event.type) {
    case 'answered':
      return answered(machine, plan);
    case 'voice-started':
      return voiceStarted(machine, plan, now);
    case 'voice-paused':
      return voicePaused(machine, event.silentMs, plan, now);
    case 'heard':
      return heard(machine, event, plan, now);
    case 'said':
      return said(machine, event.text, plan, now);
    case 'answer-started':
      return machine.state === 'thinking'
        ? [{ ...machine, state: 'speaking' }, [cancel('silence')]]
        : [machine, machine.state === 'speaking' ? [cancel('silence'), cancel('answer')] : []];
    case 'answer-awaited':
      return machine.state === 'speaking'
        ? [machine, [timer('answer', Math.min(plan.limits.silenceMs, MAX_AWAITED_MS))]]
        : [machine, []];
    case 'answer-played':
      return answerPlayed(machine, event.ends, plan);
    case 'answer-cut':
      return answerCut(machine, plan, now);
    case 'tool-ended':
      return machine.state === 'idle'
        ? [
            { ...machine, state: 'thinking' },
            [cancel('reminder'), timer('silence', plan.limits.silenceMs), { do: 'answer-tool' }],
          ]
        : [machine, []];
    case 'machine-answered':
      return machineAnswered(machine, event, plan, now);
    case 'timer':
      return timerFired(machine, event.name, plan, now);
    case 'failed':
      return machine.state === 'ending' ? ended(machine, machine.end ?? FAILED) : failed(machine, plan);
    case 'closed':
      return ended(machine, event.end);
  }
}

function answered(machine: Machine, { limits, turns }: TurnPlan): Step {
  const timers = [timer('maximum', limits.maximumMs), timer('silence', limits.silenceMs)];
  return turns.helloMs > 0
    ? [{ ...machine, awaitsHello: true }, [...timers, timer('hello', turns.helloMs)]]
    : [{ ...machine, state: 'speaking' }, [...timers, { do: 'greet' }]];
}

function greeted(machine: Machine): Step {
  return [{ ...machine, state: 'speaking', awaitsHello: false }, [{ do: 'greet' }]];
}

const FAILED: End = { reason: 'error', by: 'system' };
export const VOICEMAIL: End = { reason: 'voicemail_reached', by: 'agent' };
/** The failure of a call whose person is connected with somebody. */
export const HANDED_ON: End = { reason: 'call_transfer', by: 'agent' };
/** The timers that run in a conversation, and not after it. */
const TIMERS = [
  'turn',
  'barge-in',
  'reminder',
  'silence',
  'answer',
  'maximum',
  'utterance',
  'hello',
  'voicemail',
  'voicemail-limit',
] as const;

function voiceStarted(machine: Machine, plan: TurnPlan, now: number): Step {
  const goesOn = machine.state === 'listening' || machine.state === 'interrupted';
  const spokeSince = goesOn ? machine.spokeSince : now;
  const started = { ...machine, voice: true, text: undefined, spokeSince };
  switch (machine.state) {
    case 'idle':
      return [
        { ...started, state: 'listening', overlaps: false },
        [cancel('reminder'), timer('utterance', MAX_UTTERANCE_MS)],
      ];
    case 'listening':
    case 'interrupted':
      return [started, [cancel('turn')]];
    case 'thinking':
    case 'speaking': {
      const { words, byVoice, voiceMs } = plan.interruption;
      const first = !machine.overlaps;
      return [
        { ...started, overlaps: true },
        [
          ...(first ? [timer('utterance', MAX_UTTERANCE_MS)] : []),
          ...(words === 0 && byVoice ? [timer('barge-in', voiceMs)] : []),
        ],
      ];
    }
    case 'voicemail':
      return [withoutBeep(started), [cancel('voicemail')]];
    case 'ending':
      return isInterruptible(machine, now)
        ? [started, [timer('barge-in', GREETING_GOES_ON_MS)]]
        : [machine, []];
    case 'ended':
      return [machine, []];
  }
}

function voicePaused(machine: Machine, silentMs: number, plan: TurnPlan, now: number): Step {
  if (!machine.voice) return [machine, []];
  const paused = { ...machine, voice: false, spokeUntil: now - silentMs };
  if (machine.state === 'voicemail') return [paused, [waitForMessage(machine, silentMs)]];
  if (machine.state === 'ending') return [paused, [cancel('barge-in')]];
  const wait = timer('turn', Math.max(0, plan.turns.endOfTurnMs - silentMs));
  const [next, sign] = backChanneled(paused, plan, now);
  return [next, [cancel('barge-in'), { do: 'recognize' }, wait, ...sign]];
}

/** In as many of the pauses of a long turn as the agent asks for. */
function backChanneled(machine: Machine, { backChannel }: TurnPlan, now: number): Step {
  const { saidAt, due } = machine.backChannel;
  const isLong = now - machine.spokeSince >= BACK_CHANNEL_AFTER_MS && now - saidAt >= BACK_CHANNEL_REST_MS;
  if (!backChannel || machine.state !== 'listening' || !isLong) return [machine, []];
  const share = due + backChannel.frequency;
  return share < 1
    ? [{ ...machine, backChannel: { saidAt, due: share } }, []]
    : [{ ...machine, backChannel: { saidAt: now, due: share - 1 } }, [{ do: 'back-channel' }]];
}

/** The agent says its message when the greeting of the machine is over, or hangs up if it has none. */
function machineAnswered(
  machine: Machine,
  { beep, isHeard }: Extract<Event, { type: 'machine-answered' }>,
  plan: TurnPlan,
  now: number,
): Step {
  const { state } = machine;
  if (state === 'voicemail' && !beep) return [machine, []];
  // The carrier reports a beep later than it was heard.
  if (state === 'ending' && !(beep && isHeard && isInterruptible(machine, now))) return [machine, []];
  if (plan.voicemail?.message === '') return ended(machine, VOICEMAIL);
  return awaitMachine(machine, beep, now);
}

/** Waits until the machine is silent. */
function awaitMachine(machine: Machine, hasBeeped: boolean, now: number): Step {
  const { until = now + MAX_GREETING_MS } = machine.voicemail ?? {};
  const next: Machine = {
    ...machine,
    state: 'voicemail',
    overlaps: false,
    text: undefined,
    voicemail: { until, hasBeeped },
  };
  return [
    next,
    [
      ...TIMERS.filter((name) => name !== 'maximum').map(cancel),
      cancel('ending'),
      { do: 'stop', keep: false },
      timer('voicemail-limit', until - now),
      ...(machine.voice ? [] : [waitForMessage(next)]),
    ],
  ];
}

const waitForMessage = ({ voicemail }: Machine, silentMs = 0): Effect =>
  timer('voicemail', Math.max(0, (voicemail?.hasBeeped ? AFTER_BEEP_MS : VOICEMAIL_SILENCE_MS) - silentMs));

const withoutBeep = (machine: Machine): Machine => ({
  ...machine,
  voicemail: machine.voicemail && { ...machine.voicemail, hasBeeped: false },
});

/** Whether the message is being said to a machine whose greeting may go on: a carrier takes a long pause for its end. */
const isInterruptible = ({ state, end, voicemail }: Machine, now: number): boolean =>
  state === 'ending' && end === VOICEMAIL && voicemail !== undefined && now < voicemail.until;

function heard(
  machine: Machine,
  { text, final }: { text: string; final: boolean },
  plan: TurnPlan,
  now: number,
): Step {
  const { state } = machine;
  if (state === 'ending' || state === 'voicemail') return [machine, []];
  const isOver = state === 'thinking' || state === 'speaking';
  if (isOver && !machine.overlaps) return [machine, []];
  if (isOver && countWords(text) >= Math.max(1, plan.interruption.words) && !isBackChannel(text)) {
    const [next, effects] = interrupt(machine, now);
    return continued(next, effects, text, final, plan, now);
  }
  return continued(machine, [], text, final, plan, now);
}

/** After a text: the turn may end now. */
function continued(
  machine: Machine,
  effects: Effect[],
  text: string,
  final: boolean,
  plan: TurnPlan,
  now: number,
): Step {
  // Words that do not interrupt the agent start no silence: it speaks.
  const spoken =
    text === '' || machine.state === 'speaking'
      ? effects
      : [...effects, timer('silence', plan.limits.silenceMs)];
  if (!final || machine.voice) return [machine, spoken];
  const [next, more] = endOfTurn({ ...machine, text }, plan, now);
  return [next, [...spoken, ...more]];
}

/** The turn ends when the text is known and the silence was long enough, whichever comes last. */
function endOfTurn(machine: Machine, plan: TurnPlan, now: number): Step {
  const { text, voice, spokeUntil, state } = machine;
  if (text === undefined || voice || state === 'idle') return [machine, []];
  const { endOfTurnMs, endOfSentenceMs, waitMs } = plan.turns;
  const silenceMs = /[.?!…]["')]?$/.test(text) ? endOfSentenceMs : endOfTurnMs;
  const missingMs = spokeUntil + silenceMs - now;
  if (missingMs > 0.5) return [machine, [timer('turn', missingMs)]];
  const over: Effect[] = [cancel('turn'), cancel('utterance'), { do: 'next-utterance' }];
  const quiet = { ...machine, text: undefined, overlaps: false };
  switch (state) {
    case 'thinking':
    case 'speaking':
      return [quiet, over];
    case 'interrupted':
      if (text === '') return [{ ...quiet, state: 'speaking' }, [...over, { do: 'resume' }]];
      break;
    case 'listening':
      if (text === '' && machine.awaitsHello) {
        const [next, effects] = greeted(quiet);
        return [next, [...over, ...effects]];
      }
      if (text === '') return [{ ...quiet, state: 'idle' }, [...over, ...planReminder(machine, plan)]];
      break;
    case 'voicemail':
    case 'ending':
    case 'ended':
      return [quiet, over];
  }
  const notBefore = Math.max(spokeUntil + waitMs, machine.interruptedAt + plan.interruption.backOffMs);
  return [
    { ...quiet, state: 'thinking', reminders: 0, awaitsHello: false },
    [
      ...over,
      timer('silence', plan.limits.silenceMs),
      { do: 'answer', text, notBefore, greets: machine.awaitsHello },
    ],
  ];
}

function said(machine: Machine, text: string, plan: TurnPlan, now: number): Step {
  if (machine.state === 'ending') return [machine, []];
  // The greeting goes on.
  if (machine.state === 'voicemail') return [machine, machine.voice ? [] : [waitForMessage(machine)]];
  const busy = machine.state === 'thinking' || machine.state === 'speaking';
  return [
    {
      ...machine,
      state: 'thinking',
      text: undefined,
      overlaps: false,
      voice: false,
      reminders: 0,
      awaitsHello: false,
      spokeUntil: now,
    },
    [
      ...(busy ? [{ do: 'stop', keep: false } as const] : []),
      ...[cancel('turn'), cancel('barge-in'), cancel('reminder'), cancel('utterance'), cancel('answer')],
      timer('silence', plan.limits.silenceMs),
      { do: 'next-utterance' },
      { do: 'answer', text, notBefore: now, greets: machine.awaitsHello },
    ],
  ];
}

function interrupt(machine: Machine, now: number): Step {
  const spoke = machine.state === 'speaking';
  return [
    {
      ...machine,
      overlaps: false,
      state: spoke ? 'interrupted' : 'listening',
      interruptedAt: spoke ? now : machine.interruptedAt,
    },
    [cancel('barge-in'), cancel('answer'), { do: 'stop', keep: spoke }],
  ];
}

function answerPlayed(machine: Machine, ends: boolean, plan: TurnPlan): Step {
  if (machine.state === 'ending') return ended(machine, machine.end ?? FAILED);
  if (ends) return ended(machine, { reason: 'agent_hangup', by: 'agent' });
  if (machine.state !== 'speaking' && machine.state !== 'thinking') return [machine, []];
  const silence = timer('silence', plan.limits.silenceMs);
  // The person already speaks: the agent's last syllables were no reason to interrupt it.
  if (machine.overlaps)
    return [
      { ...machine, state: 'listening', overlaps: false },
      [cancel('barge-in'), cancel('answer'), silence],
    ];
  return [{ ...machine, state: 'idle' }, [cancel('answer'), silence, ...planReminder(machine, plan)]];
}

function answerCut(machine: Machine, plan: TurnPlan, now: number): Step {
  if (machine.state !== 'speaking' && machine.state !== 'ending') return [machine, []];
  if (isInterruptible(machine, now)) return awaitMachine(machine, false, now);
  const [next, effects] = answerPlayed(machine, false, plan);
  return [next, machine.state === 'ending' ? effects : [{ do: 'stop', keep: false }, ...effects]];
}

function timerFired(machine: Machine, name: TimerName, plan: TurnPlan, now: number): Step {
  switch (name) {
    case 'turn':
      return endOfTurn(machine, plan, now);
    case 'barge-in':
      if (machine.voice && isInterruptible(machine, now)) return awaitMachine(machine, false, now);
      return machine.overlaps && machine.voice ? interrupt(machine, now) : [machine, []];
    case 'reminder':
      if (machine.state !== 'idle') return [machine, []];
      return [
        { ...machine, state: 'speaking', reminders: machine.reminders + 1 },
        [{ do: 'say', what: 'reminder' }],
      ];
    case 'silence':
      if (machine.state === 'ending') return [machine, []];
      if (machine.state === 'thinking') return failed(machine, plan);
      return ending(machine, { reason: 'inactivity', by: 'system' }, 'goodbye');
    case 'answer':
      return machine.state === 'speaking' ? failed(machine, plan) : [machine, []];
    case 'maximum':
      if (machine.state === 'ending') return [machine, []];
      return ending(machine, { reason: 'max_duration_reached', by: 'system' }, 'goodbye');
    case 'utterance':
      return machine.voice
        ? voicePaused(machine, Math.max(0, plan.turns.endOfTurnMs), plan, now)
        : [machine, []];
    case 'hello':
      return machine.state === 'idle' && machine.awaitsHello ? greeted(machine) : [machine, []];
    case 'voicemail':
    case 'voicemail-limit':
      return machine.state === 'voicemail' ? ending(machine, VOICEMAIL, 'message') : [machine, []];
    case 'ending':
      return ended(machine, machine.end ?? FAILED);
  }
}

/** All providers have failed. An answering machine is not transferred. */
const failed = (machine: Machine, { lastResort }: TurnPlan): Step =>
  lastResort === 'transfer' && machine.state !== 'voicemail'
    ? ending(machine, HANDED_ON, 'transfer')
    : ending(machine, FAILED, 'apology');

/** Whether the agent is to answer the person, or goes on with its words. */
export const isAnswerDue = ({ state, voice }: Machine): boolean =>
  !voice && ['listening', 'interrupted', 'thinking', 'speaking'].includes(state);

function ending(machine: Machine, end: End, what: 'goodbye' | 'apology' | 'message' | 'transfer'): Step {
  return [
    { ...machine, state: 'ending', end, overlaps: false },
    [
      ...TIMERS.map(cancel),
      { do: 'stop', keep: false },
      { do: 'say', what },
      timer('ending', what === 'message' ? MAX_MESSAGE_MS : MAX_ENDING_MS),
    ],
  ];
}

function ended(machine: Machine, end: End): Step {
  return [
    { ...machine, state: 'ended', end },
    [
      { do: 'stop', keep: false },
      { do: 'end', end },
    ],
  ];
}

const timer = (name: TimerName, ms: number): Effect => ({ do: 'timer', name, ms });
const cancel = (name: TimerName): Effect => ({ do: 'cancel', name });

function planReminder({ reminders }: Machine, { reminder }: TurnPlan): Effect[] {
  return reminder && reminders < reminder.times ? [timer('reminder', reminder.afterMs)] : [];
}

export const countWords = (text: string) => text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;

const BACK_CHANNEL = /^(mm-?hmm?|mhm+|uh-?huh|yeah|ah|oh|okay|ok|right|i see|got it)[.!,]?$/i;
/** A person who listens says such words. They interrupt nobody. */
const isBackChannel = (text: string) => BACK_CHANNEL.test(text.trim());
