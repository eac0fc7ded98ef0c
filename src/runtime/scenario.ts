import type { CallStart } from '../messaging/wire';

export type Duty = 'greeting' | 'confirmation' | 'voicemail message' | 'goodbye';

export interface Line {
  speaker: 'agent' | 'user' | 'voicemail';
  text: string;
  /** What the agent owes the call and does with this line. */
  duty?: Duty;
  /** What the summary says of it. */
  note?: string;
}

/** A call that is answered: what is said, and how it ends when nothing comes in between. */
export interface Conversation {
  kind: 'conversation';
  lines: Line[];
  duties: Duty[];
  disconnectReason: string;
  disconnectedBy: string;
  outcome: string;
}

export type Scenario = Conversation | { kind: 'unreached'; disconnectReason: string } | { kind: 'crash' };

/** The last two digits of the number decide; any others, or no number, mean a whole conversation. */
const SCENARIOS: Record<string, (call: CallStart) => Scenario> = {
  '01': () => ({ kind: 'unreached', disconnectReason: 'dial_busy' }),
  '02': () => ({ kind: 'unreached', disconnectReason: 'dial_no_answer' }),
  '03': voicemail,
  '04': hangUp,
  '05': () => ({ kind: 'crash' }),
};

export const scenarioOf = (call: CallStart): Scenario =>
  (SCENARIOS[call.to_number.slice(-2)] ?? wholeConversation)(call);

function wholeConversation(call: CallStart): Conversation {
  const name = shorten(call.customer_name, 200);
  const details = detailsOf(call);
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
      ...greetingOf(call),
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

function hangUp(call: CallStart): Conversation {
  return {
    kind: 'conversation',
    lines: [
      ...greetingOf(call),
      { speaker: 'user', text: 'Sorry, I have no time.', note: 'The user had no time and hung up.' },
    ],
    duties: [...dutyToGreet(call), 'goodbye'],
    disconnectReason: 'user_hangup',
    disconnectedBy: 'user',
    outcome: 'user_hung_up',
  };
}

function voicemail(call: CallStart): Conversation {
  const whose = shorten(call.customer_name, 200) || call.to_number;
  const { isEnabled = false, message = null } = (call.agent.voicemailConfig ?? {}) as {
    isEnabled?: boolean;
    message?: string | null;
  };
  const text = message || call.greeting;
  const left: Line[] =
    isEnabled && text !== ''
      ? [{ speaker: 'agent', text, duty: 'voicemail message', note: `The agent left ${quote(text)}.` }]
      : [];
  return {
    kind: 'conversation',
    lines: [
      {
        speaker: 'voicemail',
        text: `This is the voicemail of ${whose}. Please leave a message after the tone.`,
        note: `A voicemail answered${call.greeting && `, so nobody was greeted with ${quote(call.greeting)}`}.`,
      },
      ...left,
    ],
    duties: left.length > 0 ? ['voicemail message'] : [],
    disconnectReason: 'voicemail_reached',
    disconnectedBy: 'agent',
    outcome: 'voicemail',
  };
}

const greetingOf = ({ greeting }: CallStart): Line[] =>
  greeting === ''
    ? []
    : [
        {
          speaker: 'agent',
          text: greeting,
          duty: 'greeting',
          note: `The agent opened with ${quote(greeting)}.`,
        },
      ];

const dutyToGreet = ({ greeting }: CallStart): Duty[] => (greeting === '' ? [] : ['greeting']);

/** The first few of the variables, in words; '' without any. */
const detailsOf = ({ dynamic_variables }: CallStart) =>
  Object.entries(dynamic_variables)
    .slice(0, 5)
    .map(([name, value]) => `${shorten(name, 50).replaceAll('_', ' ')}: ${shorten(value, 200)}`)
    .join('; ');

const quote = (text: string) => `“${shorten(text, 500)}”`;

// A greeting with its variables filled in has no bound, a summary has one; and half a character is not storable.
const shorten = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
