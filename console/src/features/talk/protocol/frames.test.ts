import { readFrame } from './frames';

test.each([
  ['{"event":"ready","call_id":"1","mediaFormat":null}', { event: 'ready', services: undefined }],
  [
    '{"event":"ready","services":[{"part":"language","provider":"openai","host":"api.openai.com"},{"part":"new"}]}',
    { event: 'ready', services: [{ part: 'language', provider: 'openai', host: 'api.openai.com' }] },
  ],
  ['{"event":"media","media":{"payload":"AAA="}}', { event: 'media', payload: 'AAA=' }],
  ['{"event":"mark","mark":{"name":"1.1"}}', { event: 'mark', name: '1.1' }],
  ['{"event":"clear"}', { event: 'clear' }],
  [
    '{"event":"transcript","speaker":"user","text":"Hello","final":false}',
    { event: 'transcript', speaker: 'user', text: 'Hello', final: false },
  ],
  ['{"event":"state","state":"thinking"}', { event: 'state', state: 'thinking' }],
  ['{"event":"metrics","turn_gap_ms":850}', { event: 'metrics', turnGapMs: 850 }],
  ['{"event":"ended","reason":"user_hangup"}', { event: 'ended', reason: 'user_hangup' }],
])('%s is read', (data, frame) => {
  expect(readFrame(data)).toEqual(frame);
});

test.each([
  'x',
  'null',
  '{"event":"dance"}',
  '{"event":"media"}',
  '{"event":"transcript","speaker":"tool","text":""}',
  '{"event":"state","state":"asleep"}',
  '{"event":"metrics"}',
  new ArrayBuffer(2),
])('%s is no frame that the page knows', (data) => {
  expect(readFrame(data)).toBeUndefined();
});
