import { describePerson, isLive, liveRow, liveSetting, openPhones, readServices } from './support/live';
import type { PhoneTalk } from './support/phone-talk';
import { testSharedCalls } from './support/shared-calls';

jest.setTimeout(180_000);

describe.each(['twilio', 'relay', 'telnyx', 'asterisk'] as const)('%s itself', (service) => {
  let talk: PhoneTalk;
  beforeAll(async () => {
    if (isLive(service)) talk = await openPhones(service);
  });
  afterAll(async () => {
    if (isLive(service)) await talk.close();
  });

  testSharedCalls({
    ...{ service, row: liveRow(service), talk: () => talk, answerMs: 20_000, setting: liveSetting },
  });
});

test('a service that does not exist is named, with those that do', () => {
  expect(readServices('twilio, relay')).toEqual(['twilio', 'relay']);
  expect(readServices()).toEqual([]);
  expect(() => readServices('twilio,telnix')).toThrow(/telnix.* twilio, relay, telnyx, asterisk/);
});

test.each([
  [{ ringMs: 50_000 }, 'do not answer'],
  [{ talks: [{ afterMs: 1, forMs: 1 }] }, 'answer, say something, wait until the call ends'],
  [
    { presses: { afterMs: 1, digits: '5' }, hangsUpAfterMs: 1 },
    'answer, press 5 when you are told to, hang up when the agent is silent',
  ],
])('the person %j is described as: %s', (person, words) => {
  expect(describePerson(person)).toBe(words);
});
