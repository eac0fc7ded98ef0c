import type { Handset } from './stand-ins/phone/handset';
import { isLate } from './support/many-calls';

/** @param played the frames at a phone: `s` is one of sound, `-` one of silence, `.` 20 ms without a frame */
function isPlayedLate(played: string): boolean {
  const heard = [...played].flatMap((frame, index) =>
    frame === '.' ? [] : [{ at: index * 20, isSound: frame === 's' }],
  );
  return isLate({ handset: { heard } as Handset });
}

test.each([
  ['', false],
  ['----', false],
  ['--ssss--', false],
  ['--s..ss--', false],
  ['--s...ss--', true],
  ['--ss-ss--', true],
  ['-...-ssss-...-', false],
])('a call whose phone plays "%s" is late: %j', (played, late) => {
  expect(isPlayedLate(played)).toBe(late);
});
