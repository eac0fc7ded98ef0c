import { MediaPace } from './media-pace';

const frame = (value: number) => new Int16Array(320).fill(value);

test('at the pace of speech, each frame is sent at once', () => {
  const pace = new MediaPace(16_000);
  for (let index = 0; index < 500; index++) expect(pace.add(frame(index), index * 20)).toEqual(frame(index));
});

test('after a pause of the page, fewer frames are sent than the runtime accepts, and nothing of the last second is lost', () => {
  const pace = new MediaPace(16_000);
  const sent: Int16Array[] = [];
  for (let index = 0; index < 90; index++) {
    const now = pace.add(frame(index), 5_000);
    if (now) sent.push(now);
  }
  expect(sent).toHaveLength(70);
  expect(pace.add(frame(90), 6_000)).toHaveLength(21 * 320);
});

test('what waits is at most a second of audio', () => {
  const pace = new MediaPace(16_000);
  for (let index = 0; index < 300; index++) pace.add(frame(index), 5_000);
  const late = pace.add(frame(300), 6_000);
  expect(late).toHaveLength(16_000);
  expect(late?.at(-1)).toBe(300);
});
