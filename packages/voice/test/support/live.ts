import { writeSync } from 'node:fs';
import type { Environment } from '../../src/runtime/environment';
import type { Person } from '../stand-ins/phone/handset';
import { openCarrier, PhoneTalk } from './phone-talk';

/** The services that the tests may reach with an account. README.md of the stand-ins has their settings. */
const SERVICES = [
  ...['deepgram', 'elevenlabs', 'openai-realtime', 'chat'],
  ...['twilio', 'relay', 'telnyx', 'asterisk'],
];

/** @throws Error if a name is none: its tests would be skipped without a word */
export function readServices(text = ''): string[] {
  const named = text.split(',').flatMap((part) => part.trim() || []);
  const unknown = named.filter((name) => !SERVICES.includes(name));
  if (unknown.length === 0) return named;
  throw new Error(
    `VOICE_LIVE_TESTS names ${unknown.join(', ')}, which is no service. The services are: ${SERVICES.join(', ')}.`,
  );
}

const named = readServices(process.env.VOICE_LIVE_TESTS);

export const isLive = (service: string) => named.includes(service);

/** The settings of the accounts, which `npm test` hides from all other tests. */
export const liveSettings: Environment = {
  ...process.env,
  ...(JSON.parse(process.env.VOICE_LIVE_SETTINGS ?? '{}') as Environment),
};

/** A setting that the tests of a service need. @throws Error that names it */
export function liveSetting(name: string): string {
  const value = liveSettings[name];
  if (value) return value;
  throw new Error(`VOICE_LIVE_TESTS needs the setting ${name}`);
}

/** Declares a test. It needs these settings with a service itself, and none with a stand-in. */
export type Row = (title: string, settings: string[], body: () => Promise<void>) => void;

export const standInRow: Row = (title, _, body) => test(title, body);

/** Declares tests of a service itself. One is skipped if the service is not named, or if a setting is missing. */
export function liveRow(service: string): Row {
  return (title, settings, body) => {
    const missing = isLive(service) ? settings.filter((name) => !liveSettings[name]) : [];
    if (missing.length > 0) return test.skip(`${title} (needs ${missing.join(', ')})`, body);
    return isLive(service) ? test(title, body) : test.skip(title, body);
  };
}

/** The settings with a number of each kind. */
export const NUMBERS: Record<NonNullable<Person['phone']>, string> = {
  answers: 'VOICE_LIVE_NUMBER',
  voicemail: 'VOICE_LIVE_VOICEMAIL_NUMBER',
  busy: 'VOICE_LIVE_BUSY_NUMBER',
  'no-answer': 'VOICE_LIVE_NO_ANSWER_NUMBER',
  declines: 'VOICE_LIVE_DECLINING_NUMBER',
  'does-not-exist': 'VOICE_LIVE_UNKNOWN_NUMBER',
  'network-fails': 'VOICE_LIVE_FAILING_NUMBER',
};
const UNANSWERED_MS = 30_000;

/** Says in words what a person does. Times are for stand-ins. */
export function describePerson(person: Person): string {
  const { phone = 'answers', ringMs = 0, presses } = person;
  if (phone !== 'answers') return `this phone is for "${phone}"`;
  if (ringMs > UNANSWERED_MS) return 'do not answer';
  const acts = [
    'answer',
    (person.talks ?? person.says) && 'say something',
    (person.interrupts ?? person.interruptsAfterWords) && 'talk over the agent',
    presses && `press ${presses.digits} when you are told to`,
    person.connectedMs && 'talk to the other phone for a while',
    person.transfer === 'busy' && 'let the other phone be in a call',
    person.hangsUpAfterMs === undefined ? 'wait until the call ends' : 'hang up when the agent is silent',
  ];
  return acts.filter(Boolean).join(', ');
}

/** Jest would print it after the test. People read it while the phone rings. */
const tell = (number: string, words: string) => void writeSync(1, `${number}: ${words}\n`);

/** The voice runtime with the carrier of an account, and people at real phones. */
export async function openPhones(service: string): Promise<PhoneTalk> {
  const isRelay = service === 'relay';
  liveSetting('VOICE_PUBLIC_URL');
  const opened = await openCarrier(
    {
      ...{ VOICE_PORT: '3010', ...liveSettings },
      ...{ VOICE_CARRIER: isRelay ? 'twilio' : service, VOICE_SPEECH: isRelay ? 'carrier' : '' },
    },
    { warn: (sentence) => console.warn(sentence), error: (sentence) => console.error(sentence) },
  );
  const people = {
    meet: (person: Person) => {
      const number = liveSetting(NUMBERS[person.phone ?? 'answers']);
      tell(number, describePerson(person));
      return number;
    },
    ring: (person: Person) => {
      const words = describePerson(person).replace('answer', 'call it from any phone');
      tell(liveSetting('VOICE_LIVE_INCOMING_NUMBER'), words);
      return Promise.resolve(undefined);
    },
    find: () => undefined,
  };
  return new PhoneTalk(opened, people, { hangUpAfterMs: 60_000 });
}
