import { type CallStart, type DisconnectReason, type Party, shorten } from '@parley/worker';
import type { RuntimeOutcome } from '../../config';

export type Duty = 'greeting' | 'confirmation' | 'voicemail message' | 'goodbye';

export interface Line {
  speaker: 'agent' | 'user' | 'voicemail';
  text: string;
  /** The duty of the agent that the line fulfils. */
  duty?: Duty;
  /** The sentence about the line in the summary. */
  note?: string;
}

/** A call that is answered: its lines, and how it ends unless it is interrupted. */
export interface ConversationScript {
  kind: 'conversation';
  lines: Line[];
  duties: Duty[];
  disconnectReason: DisconnectReason;
  disconnectedBy: Party;
  outcome: string;
  /** The person asks not to be called again. */
  optsOut?: true;
  /** The person calls back afterwards. */
  callsBack?: true;
}

export type Scenario =
  ConversationScript | { kind: 'unreached'; disconnectReason: DisconnectReason } | { kind: 'crash' };

/** The last digits of the numbers that lead to each outcome. A call to other digits is answered. */
const DIGITS_OF: Record<RuntimeOutcome, string> = {
  answered: '00',
  busy: '01',
  no_answer: '02',
  voicemail: '03',
  hang_up: '04',
  crash: '05',
  opt_out: '07',
};

/**
 * The scenarios by the last two digits of the number. Other numbers, and calls without one, get a complete
 * conversation.
 */
const SCENARIOS: Record<string, ((call: CallStart) => Scenario) | undefined> = {
  '01': () => ({ kind: 'unreached', disconnectReason: 'dial_busy' }),
  '02': () => ({ kind: 'unreached', disconnectReason: 'dial_no_answer' }),
  '03': voicemail,
  '04': (call) => hangUp(call),
  '05': () => ({ kind: 'crash' }),
  '06': (call) => callBack(call),
  '07': (call) => optOut(call),
};

/** The scenarios that can happen when the person calls. */
const INCOMING = ['04', '05', '07'];

/** Chooses by chance. @param chance from 0 to 1, exclusive */
export function outcomeBy(
  probabilities: Partial<Record<RuntimeOutcome, number>>,
  chance: number,
): RuntimeOutcome {
  let sum = 0;
  for (const [outcome, probability] of Object.entries(probabilities)) {
    sum += probability;
    if (chance < sum) return outcome as RuntimeOutcome;
  }
  return 'answered';
}

/** @param outcome what decides instead of the number; not for incoming calls */
export function chooseScenario(call: CallStart, outcome?: RuntimeOutcome): Scenario {
  const isIncoming = call.direction === 'inbound';
  const number = isIncoming ? call.from_number : call.to_number;
  const digits = outcome && !isIncoming ? DIGITS_OF[outcome] : number.slice(-2);
  const scenario = isIncoming && !INCOMING.includes(digits) ? undefined : SCENARIOS[digits];
  return (scenario ?? completeConversation)(call);
}

function completeConversation(call: CallStart): ConversationScript {
  const name = shorten(call.customer_name, 200);
  const details = formatDetails(call);
  const confirmation: Line[] = [
    {
      speaker: 'agent',
      text: `Let me check what I have: ${details}. Is that right?`,
      duty: 'confirmation',
      note: `The agent confirmed ${details}.`,
    },
    { speaker: 'user', text: 'Yes, that is right.' },
  ];
  const smallTalk: Line[] = [
    { speaker: 'agent', text: 'Is this a good moment to talk?' },
    { speaker: 'user', text: 'Yes, it is.' },
  ];
  return {
    kind: 'conversation',
    lines: [
      ...toGreeting(call),
      { speaker: 'user', text: name ? `Hello, this is ${name}.` : 'Hello.' },
      ...(details ? confirmation : smallTalk),
      {
        speaker: 'agent',
        text: name ? `Thank you, ${name}. Goodbye!` : 'Thank you. Goodbye!',
        duty: 'goodbye',
        note: 'The agent said goodbye and hung up.',
      },
    ],
    duties: [...dutyToGreet(call), ...(details ? (['confirmation'] as const) : []), 'goodbye'],
    disconnectReason: 'agent_hangup',
    disconnectedBy: 'agent',
    outcome: 'completed',
  };
}

const hangUp = (call: CallStart) =>
  endedByUser(call, 'Sorry, I have no time.', 'The user had no time and hung up.');

const callBack = (call: CallStart): ConversationScript => ({
  ...endedByUser(call, 'I will call you back.', 'The user wanted to call back and hung up.'),
  callsBack: true,
});

const optOut = (call: CallStart): ConversationScript => ({
  ...endedByUser(call, 'Please do not call me again.', 'The user wants no further calls and hung up.'),
  optsOut: true,
});

function endedByUser(call: CallStart, text: string, note: string): ConversationScript {
  return {
    kind: 'conversation',
    lines: [...toGreeting(call), { speaker: 'user', text, note }],
    duties: [...dutyToGreet(call), 'goodbye'],
    disconnectReason: 'user_hangup',
    disconnectedBy: 'user',
    outcome: 'user_hung_up',
  };
}

function voicemail(call: CallStart): ConversationScript {
  const owner = shorten(call.customer_name, 200) || call.to_number;
  const { isEnabled, message } = call.agent.voicemailConfig;
  const text = message || call.greeting;
  const messageLines: Line[] =
    isEnabled && text !== ''
      ? [{ speaker: 'agent', text, duty: 'voicemail message', note: `The agent left ${quoteLast(text)}` }]
      : [];
  return {
    kind: 'conversation',
    lines: [
      {
        speaker: 'voicemail',
        text: `This is the voicemail of ${owner}. Please leave a message after the tone.`,
        note: call.greeting
          ? `A voicemail answered, so the agent did not say ${quoteLast(call.greeting)}`
          : 'A voicemail answered.',
      },
      ...messageLines,
    ],
    duties: messageLines.length > 0 ? ['voicemail message'] : [],
    disconnectReason: 'voicemail_reached',
    disconnectedBy: 'agent',
    outcome: 'voicemail',
  };
}

const toGreeting = ({ greeting }: CallStart): Line[] =>
  greeting === ''
    ? []
    : [
        {
          speaker: 'agent',
          text: greeting,
          duty: 'greeting',
          note: `The agent opened with ${quoteLast(greeting)}`,
        },
      ];

const dutyToGreet = ({ greeting }: CallStart): Duty[] => (greeting === '' ? [] : ['greeting']);

/** The first five variables as text, '' if there are none. */
const formatDetails = ({ dynamic_variables }: CallStart) =>
  Object.entries(dynamic_variables)
    .slice(0, 5)
    .map(([name, value]) => `${shorten(name, 50).replaceAll('_', ' ')}: ${shorten(value, 200)}`)
    .join('; ');

/** A quotation at the end of a sentence. A text that ends one itself needs no full stop after it. */
function quoteLast(text: string): string {
  const shown = shorten(text, 500);
  return /[.!?]$/.test(shown) ? `“${shown}”` : `“${shown}”.`;
}
