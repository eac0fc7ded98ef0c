import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { VirtualClock } from '../src/rehearsal/virtual-clock';
import { VirtualTalk } from './support/virtual-talk';
import { RelaySession } from '../src/doors/twilio/relay-session';

/** The carrier's end of a connection. */
class Connection extends EventEmitter {
  readonly tokens: unknown[] = [];
  readyState = 1;
  bufferedAmount = 0;

  send(data: string): void {
    this.tokens.push((JSON.parse(data) as { token?: string }).token);
  }

  receive(frame: object): void {
    this.emit('message', Buffer.from(JSON.stringify(frame)), false);
  }

  lose(): void {
    this.readyState = 3;
    this.emit('close');
  }
}

function open() {
  const clock = new VirtualClock();
  const session = new RelaySession(clock, { ended: () => undefined }, () => undefined);
  const connect = () => {
    const connection = new Connection();
    session.connect(connection as unknown as WebSocket, 'VX1');
    return connection;
  };
  const played: string[] = [];
  const say = (text: string) => session.say(text, () => played.push(text));
  return { clock, session, connect, played, say };
}

test('what was not heard when the connection was lost, or was said meanwhile, is spoken when it is back', () => {
  const { clock, connect, played, say } = open();
  const first = connect();
  say('One.');
  say('Two.');
  first.receive({ type: 'info', name: 'tokensPlayed', value: 'One. Tw' });
  first.lose();
  say('Three.');
  clock.advance(9_000);
  expect(played).toEqual(['One.']);
  const second = connect();
  expect(second.tokens).toEqual(['Two. ', 'Three. ']);
  second.receive({ type: 'info', name: 'tokensPlayed', value: 'Two. ' });
  expect(played).toEqual(['One.', 'Two.']);
  clock.advance(10_000);
  expect(played).toEqual(['One.', 'Two.', 'Three.']);
});

test('what the carrier still plays of an answer that was dropped counts for no later sentence', () => {
  const { session, clock, connect, played, say } = open();
  const connection = connect();
  const play = (value: string) => connection.receive({ type: 'info', name: 'tokensPlayed', value });
  say('One two three.');
  play('One ');
  session.drop();
  say('Four.');
  play('two three. ');
  expect(played).toEqual([]);
  play('Four. ');
  expect(played).toEqual(['Four.']);
  // A carrier that was interrupted forgets the rest.
  say('Five six.');
  connection.receive({ type: 'interrupt', utteranceUntilInterrupt: 'Five', durationUntilInterruptMs: 40 });
  session.drop();
  say('Seven.');
  play('Seven. ');
  expect(played).toEqual(['Four.', 'Seven.']);
  clock.advance(60_000);
  expect(played).toEqual(['Four.', 'Seven.']);
});

test('the parts of what the person said are one text, and an error of Twilio is logged', () => {
  const warnings: string[] = [];
  const session = new RelaySession(new VirtualClock(), { ended: () => undefined }, (sentence) =>
    warnings.push(sentence),
  );
  const connection = new Connection();
  session.connect(connection as unknown as WebSocket, 'VX1');
  const texts: string[] = [];
  const ignore = () => undefined;
  session.listen({
    ...{ media: ignore, dtmf: ignore, stop: ignore, lost: ignore, returned: ignore, answeredBy: ignore },
    ...{ interrupted: ignore, text: (text) => void texts.push(text) },
  });
  connection.receive({ type: 'prompt', voicePrompt: 'A table', last: false });
  expect(texts).toEqual([]);
  connection.receive({ type: 'prompt', voicePrompt: 'for two.', last: true });
  expect(texts).toEqual(['A table for two.']);
  connection.receive({ type: 'error', description: 'Invalid message received (64107)' });
  expect(warnings.join()).toContain('Invalid message received (64107)');
});

test('keys are not pressed while the connection is lost, and the agent learns so', async () => {
  const { session, connect } = open();
  connect().lose();
  await expect(session.press?.('12')).rejects.toThrow('lost');
});

test('an interruption without words ends the answer with what was heard, and no more counts as played', async () => {
  const { clock, session, connect, played, say } = open();
  const connection = connect();
  const voice = {
    say: (text: string, done: () => void) =>
      session.say(text, () => {
        played.push(text);
        done();
      }),
    drop: () => session.drop(),
  };
  const talk = new VirtualTalk({
    call: { greeting: 'Life is a complex set of events.' },
    remoteVoice: voice,
  });
  const ignore = () => undefined;
  session.listen({
    ...{ media: ignore, text: ignore, dtmf: ignore, stop: ignore, lost: ignore, returned: ignore },
    ...{ answeredBy: ignore, interrupted: () => talk.conversation.interrupted() },
  });
  await talk.noAudio(2_000);
  expect(connection.tokens).toEqual(['Life is a complex set of events. ']);
  connection.receive({ type: 'interrupt', utteranceUntilInterrupt: 'Life is a complex' });
  expect(talk.turns).toEqual([{ speaker: 'agent', text: 'Life is a complex' }]);
  clock.advance(60_000);
  expect(played).toEqual([]);
  say('Yes?');
  expect(connection.tokens.at(-1)).toBe('Yes? ');
});
