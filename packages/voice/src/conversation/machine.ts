import type { Plan } from '../agent/plan';

/**
 * What happens in a conversation, as a pure function: {@link step} takes the machine and an event, and gives the next
 * machine and what must be done. README.md has the same diagram with words.
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
 *     any state ── silence, time limit, failure, the agent's end of the call ──▶ ENDING ──▶ ENDED
 */
export type State = 'idle' | 'listening' | 'thinking' | 'speaking' | 'interrupted' | 'ending' | 'ended';

export type EndReason =
  'user_hangup' | 'agent_hangup' | 'inactivity' | 'max_duration_reached' | 'cancelled' | 'error';
export interface End {
  reason: EndReason;
  by: 'user' | 'agent' | 'system';
}

export type TimerName = 'turn' | 'barge-in' | 'reminder' | 'silence' | 'maximum' | 'utterance' | 'ending';

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
  /** Everything of the answer was played. `ends`: the agent ends the call with it. */
  | { type: 'answer-played'; ends: boolean }
  | { type: 'timer'; name: TimerName }
  /** The brain, or the speech of the machine, failed for good. */
  | { type: 'failed' }
  | { type: 'closed'; end: End };

export type Effect =
  | { do: 'greet' }
  /** The text of the utterance is needed. */
  | { do: 'recognize' }
  /** The utterance is over; what follows is another one. */
  | { do: 'next-utterance' }
  /** Answers the turn of the person. No sound of the answer before `notBefore`. */
  | { do: 'answer'; text: string; notBefore: number }
  /** Stops the answer, also while it is thought of. `keep`: it may go on. */
  | { do: 'stop'; keep: boolean }
  /** What was stopped goes on where it was stopped. */
  | { do: 'resume' }
  | { do: 'say'; what: 'reminder' | 'goodbye' | 'apology' }
  | { do: 'timer'; name: TimerName; ms: number }
  | { do: 'cancel'; name: TimerName }
  | { do: 'end'; end: End };

export interface Machine {
  readonly state: State;
  /** Whether the person's voice is heard now. */
  readonly voice: boolean;
  /** When the person's last speech ended. */
  readonly spokeUntil: number;
  /** The text up to the last pause, once it is recognised. */
  readonly text?: string;
  /** Whether the utterance began while the agent spoke or thought, and has not interrupted it yet. */
  readonly overlaps: boolean;
  readonly interruptedAt: number;
  readonly reminders: number;
  readonly end?: End;
}

export type TurnPlan = Pick<Plan, 'turns' | 'interruption' | 'limits' | 'reminder'>;

/** A turn ends after so much speech, also without a pause: music, or a person who does not stop. */
export const MAX_UTTERANCE_MS = 60_000;
/** The last words of the agent take no longer. */
export const MAX_ENDING_MS = 15_000;

export const initialMachine: Machine = {
  state: 'idle',
  voice: false,
  spokeUntil: 0,
  overlaps: false,
  interruptedAt: -Infinity,
  reminders: 0,
};

type Step = [Machine, Effect[]];

/** @param now in milliseconds, of the clock by which the plan is kept */
export function step(machine: Machine, event: Event, plan: TurnPlan, now: number): Step {
  if (machine.state === 'ended') return [machine, []];
  switch (event.type) {
    case 'answered':
      return [
        { ...machine, state: 'speaking' },
        [timer('maximum', plan.limits.maximumMs), timer('silence', plan.limits.silenceMs), { do: 'greet' }],
      ];
    case 'voice-started':
      return voiceStarted(machine, plan);
    case 'voice-paused':
      return voicePaused(machine, event.silentMs, plan, now);
    case 'heard':
      return heard(machine, event, plan, now);
    case 'said':
      return said(machine, event.text, plan, now);
    case 'answer-started':
      return machine.state === 'thinking'
        ? [{ ...machine, state: 'speaking' }, [cancel('silence')]]
        : [machine, machine.state === 'speaking' ? [cancel('silence')] : []];
    case 'answer-played':
      return answerPlayed(machine, event.ends, plan);
    case 'timer':
      return timerFired(machine, event.name, plan, now);
    case 'failed':
      return machine.state === 'ending'
        ? ended(machine, machine.end ?? FAILED)
        : ending(machine, FAILED, 'apology');
    case 'closed':
      return ended(machine, event.end);
  }
}

const FAILED: End = { reason: 'error', by: 'system' };

function voiceStarted(machine: Machine, plan: TurnPlan): Step {
  const started = { ...machine, voice: true, text: undefined };
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
    case 'ending':
    case 'ended':
      return [machine, []];
  }
}

function voicePaused(machine: Machine, silentMs: number, plan: TurnPlan, now: number): Step {
  if (!machine.voice) return [machine, []];
  const paused = { ...machine, voice: false, spokeUntil: now - silentMs };
  const wait = timer('turn', Math.max(0, plan.turns.endOfTurnMs - silentMs));
  return [paused, [cancel('barge-in'), { do: 'recognize' }, wait]];
}

function heard(
  machine: Machine,
  { text, final }: { text: string; final: boolean },
  plan: TurnPlan,
  now: number,
): Step {
  const { state } = machine;
  if (state === 'ending') return [machine, []];
  const isOver = state === 'thinking' || state === 'speaking';
  if (isOver && !machine.overlaps) return [machine, []];
  if (isOver && wordsOf(text) >= Math.max(1, plan.interruption.words) && !isBackChannel(text)) {
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
  const spoken = text === '' ? effects : [...effects, timer('silence', plan.limits.silenceMs)];
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
      if (text === '') return [{ ...quiet, state: 'idle' }, [...over, ...reminderOf(machine, plan)]];
      break;
    case 'ending':
    case 'ended':
      return [quiet, over];
  }
  const notBefore = Math.max(spokeUntil + waitMs, machine.interruptedAt + plan.interruption.backOffMs);
  return [
    { ...quiet, state: 'thinking', reminders: 0 },
    [...over, timer('silence', plan.limits.silenceMs), { do: 'answer', text, notBefore }],
  ];
}

function said(machine: Machine, text: string, plan: TurnPlan, now: number): Step {
  if (machine.state === 'ending') return [machine, []];
  const busy = machine.state === 'thinking' || machine.state === 'speaking';
  return [
    {
      ...machine,
      state: 'thinking',
      text: undefined,
      overlaps: false,
      voice: false,
      reminders: 0,
      spokeUntil: now,
    },
    [
      ...(busy ? [{ do: 'stop', keep: false } as const] : []),
      ...[cancel('turn'), cancel('barge-in'), cancel('reminder'), cancel('utterance')],
      timer('silence', plan.limits.silenceMs),
      { do: 'next-utterance' },
      { do: 'answer', text, notBefore: now },
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
    [cancel('barge-in'), { do: 'stop', keep: spoke }],
  ];
}

function answerPlayed(machine: Machine, ends: boolean, plan: TurnPlan): Step {
  if (machine.state === 'ending') return ended(machine, machine.end ?? FAILED);
  if (ends) return ended(machine, { reason: 'agent_hangup', by: 'agent' });
  if (machine.state !== 'speaking' && machine.state !== 'thinking') return [machine, []];
  const silence = timer('silence', plan.limits.silenceMs);
  // The person already speaks: the agent's last syllables were no reason to interrupt it.
  if (machine.overlaps)
    return [{ ...machine, state: 'listening', overlaps: false }, [cancel('barge-in'), silence]];
  return [{ ...machine, state: 'idle' }, [silence, ...reminderOf(machine, plan)]];
}

function timerFired(machine: Machine, name: TimerName, plan: TurnPlan, now: number): Step {
  switch (name) {
    case 'turn':
      return endOfTurn(machine, plan, now);
    case 'barge-in':
      return machine.overlaps && machine.voice ? interrupt(machine, now) : [machine, []];
    case 'reminder':
      if (machine.state !== 'idle') return [machine, []];
      return [
        { ...machine, state: 'speaking', reminders: machine.reminders + 1 },
        [{ do: 'say', what: 'reminder' }],
      ];
    case 'silence':
      if (machine.state === 'ending') return [machine, []];
      if (machine.state === 'thinking') return ending(machine, FAILED, 'apology');
      return ending(machine, { reason: 'inactivity', by: 'system' }, 'goodbye');
    case 'maximum':
      if (machine.state === 'ending') return [machine, []];
      return ending(machine, { reason: 'max_duration_reached', by: 'system' }, 'goodbye');
    case 'utterance':
      return machine.voice
        ? voicePaused(machine, Math.max(0, plan.turns.endOfTurnMs), plan, now)
        : [machine, []];
    case 'ending':
      return ended(machine, machine.end ?? FAILED);
  }
}

function ending(machine: Machine, end: End, what: 'goodbye' | 'apology'): Step {
  return [
    { ...machine, state: 'ending', end, overlaps: false },
    [
      ...(['turn', 'barge-in', 'reminder', 'silence', 'maximum', 'utterance'] as const).map(cancel),
      { do: 'stop', keep: false },
      { do: 'say', what },
      timer('ending', MAX_ENDING_MS),
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

function reminderOf({ reminders }: Machine, { reminder }: TurnPlan): Effect[] {
  return reminder && reminders < reminder.times ? [timer('reminder', reminder.afterMs)] : [];
}

export const wordsOf = (text: string) => text.match(/[\p{L}\p{N}']+/gu)?.length ?? 0;

const BACK_CHANNEL = /^(mm-?hmm?|mhm+|uh-?huh|yeah|ah|oh|okay|ok|right|i see|got it)[.!,]?$/i;
/** A person who listens says such words. They interrupt nobody. */
const isBackChannel = (text: string) => BACK_CHANNEL.test(text.trim());
