import { type DisconnectReason, type Party, REASON } from '../../features/calls/model/call-states';

/** The end of a call, and its turns. */
export interface Ending {
  /** The frequency of this ending, relative to the others. */
  weight: number;
  reason: DisconnectReason;
  by: Party;
  /** The duration of connected calls. */
  seconds?: readonly [number, number];
  outcome?: string;
  summary?: string;
  /**
   * The lines after the greeting. The parties take turns, and the person begins. `{{…}}` stands for a variable.
   */
  lines?: readonly string[];
  optOut?: boolean;
}

const person = 'user' as const;
const agent = 'agent' as const;
const system = 'system' as const;

/** The endings of calls that reached nobody. */
export const UNREACHED: readonly Ending[] = [
  { weight: 9, reason: REASON.dial_no_answer, by: system },
  { weight: 5, reason: REASON.dial_busy, by: system },
  { weight: 2, reason: REASON.dial_failed, by: system },
];

/** No runtime took the call in time. */
export const NO_RUNTIME: Ending = { weight: 1, reason: REASON.dispatch_expired, by: system };

const RARE: readonly Ending[] = [
  { weight: 0.6, reason: REASON.error, by: system },
  { weight: 0.4, reason: REASON.worker_lost, by: system },
  { weight: 0.6, reason: REASON.invalid_destination, by: system },
];

const VOICEMAIL: Ending = {
  weight: 6,
  reason: REASON.voicemail_reached,
  by: agent,
  seconds: [8, 25],
  outcome: 'voicemail',
  summary: 'A voicemail answered. The agent left no message.',
  lines: ['Please leave a message after the tone.'],
};

const SILENCE: Ending = {
  weight: 2,
  reason: REASON.inactivity,
  by: agent,
  seconds: [35, 50],
  outcome: 'no speech',
  summary: 'There was no speech, so the agent ended the call.',
  lines: [],
};

export const REMINDER_ENDINGS: readonly Ending[] = [
  {
    weight: 30,
    reason: REASON.agent_hangup,
    by: agent,
    seconds: [35, 95],
    outcome: 'confirmed',
    summary: 'The appointment is confirmed.',
    lines: [
      'Yes, this is me.',
      'Your check-up is on {{day}} at {{time}}. Can you make it?',
      'Yes, I will be there.',
      'Great, you are confirmed. Goodbye, {{customer_name}}.',
    ],
  },
  {
    weight: 11,
    reason: REASON.agent_hangup,
    by: agent,
    seconds: [80, 210],
    outcome: 'rescheduled',
    summary: 'The appointment was moved to the following week.',
    lines: [
      'Speaking. What is it about?',
      'Your check-up is on {{day}} at {{time}}. Can you make it?',
      'That does not work for me. Is there anything the week after?',
      'I have the same day a week later, also at {{time}}.',
      'That works.',
      'I have moved your appointment. Goodbye, {{customer_name}}.',
    ],
  },
  {
    weight: 5,
    reason: REASON.user_hangup,
    by: person,
    seconds: [12, 40],
    outcome: 'cancelled',
    summary: 'The appointment is cancelled.',
    lines: ['Yes?', 'Your check-up is on {{day}} at {{time}}. Can you make it?', 'No, please cancel it.'],
  },
  VOICEMAIL,
  SILENCE,
];

export const RENEWAL_ENDINGS: readonly Ending[] = [
  {
    weight: 16,
    reason: REASON.agent_hangup,
    by: agent,
    seconds: [90, 320],
    outcome: 'renewed',
    summary: 'The contract is renewed for a year.',
    lines: [
      'Yes, hello.',
      'Your contract ends next month. Shall I renew it for another year, at the same price?',
      'At the same price? Then yes.',
      'Thank you. We will send you a confirmation.',
    ],
  },
  {
    weight: 14,
    reason: REASON.user_hangup,
    by: person,
    seconds: [20, 90],
    outcome: 'not interested',
    summary: 'The customer does not want to renew.',
    lines: [
      'Who is this?',
      'I am calling about your contract, which ends next month. Would you like to renew it?',
      'No, thank you. Goodbye.',
    ],
  },
  {
    weight: 2,
    reason: REASON.user_hangup,
    by: person,
    seconds: [10, 30],
    outcome: 'opted out',
    summary: 'The customer does not want to be called again.',
    lines: ['Please do not call me again.', 'Understood. You will not be called again.'],
    optOut: true,
  },
  {
    weight: 8,
    reason: REASON.call_transfer,
    by: agent,
    seconds: [60, 150],
    outcome: 'transferred',
    summary: 'The customer had questions and was transferred to a colleague.',
    lines: [
      'Yes, I have a question about my last invoice.',
      'Let me transfer you to a colleague who can look at it.',
    ],
  },
  ...UNREACHED,
  ...RARE,
  VOICEMAIL,
];

export const FRONT_DESK_ENDINGS: readonly Ending[] = [
  {
    weight: 30,
    reason: REASON.user_hangup,
    by: person,
    seconds: [45, 160],
    outcome: 'question answered',
    summary: 'The caller asked about the opening hours.',
    lines: [
      'Hello, when are you open on Saturday?',
      'On Saturday we are open from nine to one.',
      'Thank you, that is all.',
    ],
  },
  {
    weight: 22,
    reason: REASON.agent_hangup,
    by: agent,
    seconds: [90, 260],
    outcome: 'booked',
    summary: 'The caller booked an appointment.',
    lines: [
      'I would like an appointment, please.',
      'Of course. Would Thursday at ten work for you?',
      'Yes, that works.',
      'You are booked for Thursday at ten. Goodbye.',
    ],
  },
  {
    weight: 10,
    reason: REASON.call_transfer,
    by: agent,
    seconds: [25, 80],
    outcome: 'transferred',
    summary: 'The caller asked for a person.',
    lines: ['Can I speak with a person?', 'Of course. Let me transfer you.'],
  },
  {
    weight: 1,
    reason: REASON.max_duration_reached,
    by: system,
    seconds: [600, 600],
    outcome: 'too long',
    summary: 'The call reached its time limit.',
    lines: ['I have a long story to tell.', 'Please go on.', 'Well, it all began last winter …'],
  },
  SILENCE,
  { ...(RARE[1] as Ending), weight: 0.5 },
];
