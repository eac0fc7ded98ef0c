import { JitterBuffer } from './jitter-buffer';

const RATE = 1_000;
const audio = (length: number, value = 1) => new Float32Array(length).fill(value);

function read(buffer: JitterBuffer, length: number) {
  const output = new Float32Array(length).fill(9);
  const marks = buffer.read(output);
  return { heard: output.filter((sample) => sample !== 0).length, marks };
}

test('the sound begins when there is enough of it', () => {
  const buffer = new JitterBuffer(RATE);
  buffer.push(audio(59));
  expect(read(buffer, 20).heard).toBe(0);
  buffer.push(audio(1));
  expect(read(buffer, 20).heard).toBe(20);
  expect(buffer.isPlaying).toBe(true);
});

test('short audio that is complete begins at once', () => {
  const buffer = new JitterBuffer(RATE);
  buffer.push(audio(10));
  buffer.mark('end');
  expect(read(buffer, 20)).toEqual({ heard: 10, marks: ['end'] });
  expect(buffer.isPlaying).toBe(false);
});

test('a mark is passed when everything before it was played', () => {
  const buffer = new JitterBuffer(RATE);
  buffer.push(audio(100));
  buffer.mark('first');
  buffer.push(audio(50));
  expect(read(buffer, 90).marks).toEqual([]);
  expect(read(buffer, 20)).toEqual({ heard: 20, marks: ['first'] });
});

test('after a gap, it waits again until there is enough', () => {
  const buffer = new JitterBuffer(RATE);
  buffer.push(audio(60));
  expect(read(buffer, 80).heard).toBe(60);
  buffer.push(audio(20));
  expect(read(buffer, 20).heard).toBe(0);
  buffer.push(audio(40));
  expect(read(buffer, 20).heard).toBe(20);
});

test('an interruption drops the audio, and says which marks were dropped', () => {
  const buffer = new JitterBuffer(RATE);
  buffer.push(audio(100));
  buffer.mark('one');
  buffer.push(audio(100));
  buffer.mark('two');
  read(buffer, 20);
  expect(buffer.clear()).toEqual(['one', 'two']);
  expect(read(buffer, 20).heard).toBe(0);
});

test('its memory is bounded', () => {
  const buffer = new JitterBuffer(RATE);
  for (let second = 0; second < 100; second++) buffer.push(audio(RATE));
  let heard = 0;
  for (let second = 0; second < 100; second++) heard += read(buffer, RATE).heard;
  expect(heard).toBe(60 * RATE);
});
