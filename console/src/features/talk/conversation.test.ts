import { type Conversation, type ConversationEvent, NEW_CONVERSATION, next } from './conversation';

const after = (...events: ConversationEvent[]): Conversation => events.reduce(next, NEW_CONVERSATION);
const said = (speaker: 'agent' | 'user', text: string, final = true): ConversationEvent => ({
  event: 'transcript',
  speaker,
  text,
  final,
});
const turnsAfter = (...events: ConversationEvent[]) =>
  after(...events).turns.map(({ speaker, text, isFinal }) => `${speaker}: ${text}${isFinal ? '' : ' …'}`);

test('a text that is not final is replaced until it is', () => {
  expect(turnsAfter(said('user', 'I would', false), said('user', 'I would like', false))).toEqual([
    'user: I would like …',
  ]);
  expect(
    turnsAfter(said('user', 'I would', false), said('user', 'I would like.'), said('agent', 'Yes?')),
  ).toEqual(['user: I would like.', 'agent: Yes?']);
});

test('an interrupted answer keeps its place with what was heard of it', () => {
  expect(
    turnsAfter(
      said('agent', 'We are open from nine to five.', false),
      said('user', 'Stop', false),
      said('agent', 'We are open'),
      said('user', 'Stop.'),
    ),
  ).toEqual(['agent: We are open', 'user: Stop.']);
});

test('an answer of which nothing was heard is not shown', () => {
  expect(turnsAfter(said('agent', 'We are', false), said('user', 'Wait.'))).toEqual(['user: Wait.']);
});

test('words that came to nothing disappear when the agent speaks on', () => {
  expect(
    turnsAfter(said('agent', 'One. Two.', false), said('user', 'uh-huh', false), {
      event: 'state',
      state: 'speaking',
    }),
  ).toEqual(['agent: One. Two. …']);
});

test('a connection that comes back keeps what was said', () => {
  const lost = after({ event: 'ready' }, said('agent', 'Hello.'), { event: 'lost' });
  expect(lost.isLost).toBe(true);
  expect(next(lost, { event: 'ready' })).toMatchObject({ isLost: false, turns: [{ text: 'Hello.' }] });
});

test('the latency is the one of the last turn', () => {
  const { turnGapMs } = after({ event: 'metrics', turnGapMs: 900 }, { event: 'metrics', turnGapMs: 700 });
  expect(turnGapMs).toBe(700);
});

test('a long conversation takes bounded memory', () => {
  const events = Array.from({ length: 1_100 }, (_, index) => said('user', `${index}`));
  expect(after(...events).turns).toHaveLength(1_000);
});
