import { readFrame } from './protocol';

test.each([
  ['{"event":"start","mediaFormat":null}', { event: 'start', mediaFormat: null }],
  [
    '{"event":"start","mediaFormat":{"encoding":"audio/l16","sampleRate":24000,"channels":1}}',
    { event: 'start', mediaFormat: { encoding: 'audio/l16', sampleRate: 24_000, channels: 1 } },
  ],
  ['{"event":"media","media":{"payload":"/38="}}', { event: 'media', payload: Buffer.from([0xff, 0x7f]) }],
  ['{"event":"mark","mark":{"name":"a"}}', { event: 'mark', name: 'a' }],
  ['{"event":"dtmf","dtmf":{"digit":"#"}}', { event: 'dtmf', digit: '#' }],
  ['{"event":"text","text":" Hello "}', { event: 'text', text: 'Hello' }],
  ['{"event":"stop"}', { event: 'stop' }],
])('%s is read', (data, frame) => {
  expect(readFrame(data)).toEqual(frame);
});

test.each([
  'x',
  'null',
  '[]',
  '{"event":"jump"}',
  '{"event":"start"}',
  '{"event":"start","mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":16000,"channels":1}}',
  '{"event":"start","mediaFormat":{"encoding":"audio/l16","sampleRate":16000,"channels":2}}',
  '{"event":"media","media":{"payload":"%"}}',
  '{"event":"media"}',
  '{"event":"dtmf","dtmf":{"digit":"12"}}',
  '{"event":"text","text":" "}',
  JSON.stringify({ event: 'text', text: 'x'.repeat(4_001) }),
])('%s makes no sense', (data) => {
  expect(readFrame(data)).toBeUndefined();
});
