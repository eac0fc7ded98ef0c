import { RUNTIME_DISCONNECT_REASONS } from '../../calls/model/call-states';
import { buildTimeline } from './timeline';
import type { CallFacts } from './call-records.repository';

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 9, 30, second));
const text = (second: number) => at(second).toISOString();

const facts = (changes: Partial<CallFacts> = {}): CallFacts => ({
  createdAt: at(0),
  campaignId: null,
  startedBy: null,
  campaignName: null,
  toNumber: '+15551234567',
  fromNumber: '',
  direction: 'outbound',
  agentVersion: 3,
  agentName: 'Desk',
  isIncoming: false,
  dispatchedAt: null,
  expiresAt: at(50),
  acceptedAt: null,
  connectedAt: null,
  endedAt: null,
  heartbeatAt: null,
  hangupRequestedAt: null,
  hangupRequestedBy: null,
  workerId: null,
  status: 'queued',
  disconnectReason: null,
  disconnectedBy: null,
  durationSec: 0,
  events: [],
  entries: [],
  attempts: [],
  recording: null,
  analysis: null,
  actions: [],
  tools: [],
  warnings: [],
  invocations: [],
  ...changes,
});

const getEntries = (kind: string, changes: Partial<CallFacts>) =>
  buildTimeline(facts(changes)).filter((entry) => entry.kind === kind);

const failed = (disconnectReason: CallFacts['disconnectReason'], changes: Partial<CallFacts> = {}) =>
  getEntries('failed', {
    status: 'failed',
    endedAt: at(9),
    disconnectedBy: 'system',
    disconnectReason,
    ...changes,
  });

describe('The timeline of a call', () => {
  it('is in the order of time, and of the life of a call within a millisecond', () => {
    const entries = buildTimeline(
      facts({
        dispatchedAt: at(1),
        acceptedAt: at(1),
        connectedAt: at(2),
        endedAt: at(5),
        status: 'disconnected',
        workerId: 'w',
        disconnectReason: 'user_hangup',
        disconnectedBy: 'user',
        durationSec: 3,
        entries: [
          { at: text(5), kind: 'charge', amount: -1 },
          { at: text(5), kind: 'release', amount: 1 },
          { at: text(0), kind: 'hold', amount: -1 },
        ],
      }),
    );

    expect(entries.map(({ kind }) => kind)).toEqual([
      'accepted',
      'credits_held',
      'published',
      'claimed',
      'connected',
      'ended',
      'credits_released',
      'credits_charged',
    ]);
    expect(entries.map((entry) => entry.text).slice(5)).toEqual([
      'The person hung up after 3 s.',
      'The hold of 1 credit was released.',
      'The call was charged 1 credit.',
    ]);
  });

  it.each([
    [
      { kind: 'session', id: 's', name: 'Ada Lovelace' } as const,
      'Ada Lovelace started a call to +15551234567 from the console through the agent “Desk”, version 3.',
      'Ada Lovelace hung up from the console, and ',
    ],
    [
      { kind: 'key', id: 'k', name: 'CRM' } as const,
      'The API key “CRM” started a call to +15551234567 through the agent “Desk”, version 3.',
      'The API key “CRM” hung up, and ',
    ],
    [
      { kind: 'token', id: 'ada', name: 'ada' } as const,
      'The user “ada” started a call to +15551234567 through the agent “Desk”, version 3.',
      'The user “ada” hung up, and ',
    ],
    [null, 'A call to +15551234567 was started through the agent “Desk”, version 3.', 'The '],
  ])('names who started a call and who hung up: %j', (actor, started, hungUp) => {
    expect(getEntries('accepted', { startedBy: actor })).toMatchObject([{ text: started, data: { actor } }]);
    const asked = { hangupRequestedAt: at(2), hangupRequestedBy: actor, workerId: 'w' };
    const request = hungUp === 'The ' ? 'The runtime “w”' : `${hungUp}the runtime “w”`;
    expect(getEntries('hangup_requested', asked)).toMatchObject([
      { text: `${request} was asked to end the call.`, data: { actor } },
    ]);
    const cancelled = {
      at: text(9),
      kind: 'cancelled' as const,
      data: { by: 'api', ...(actor && { actor }) },
    };
    const call = hungUp === 'The ' ? 'The call' : `${hungUp}the call`;
    expect(failed('cancelled', { events: [cancelled] })).toMatchObject([
      { text: `${call} was cancelled before a runtime claimed it.` },
    ]);
  });

  it('names the campaign that started the call', () => {
    expect(getEntries('accepted', { campaignId: 'c', campaignName: 'Spring' })).toMatchObject([
      {
        source: 'campaign',
        text: 'The campaign “Spring” started a call to +15551234567 through the agent “Desk”, version 3.',
      },
    ]);
  });

  it('names the runtime that took an incoming call', () => {
    const incoming = { isIncoming: true, workerId: 'w', toNumber: '+15557654321', fromNumber: '' };
    expect(getEntries('accepted', incoming)).toMatchObject([
      {
        source: 'runtime',
        text: 'The runtime “w” took a call from a withheld number to +15557654321 for the agent “Desk”, version 3.',
      },
    ]);
  });

  it('shows the confirm before the claim, although it is stored later', () => {
    const entries = buildTimeline(facts({ acceptedAt: at(1), dispatchedAt: at(2), workerId: 'w' }));

    expect(entries.map(({ kind }) => kind)).toEqual(['accepted', 'published', 'claimed']);
  });

  it('shows each further publish, and the confirm', () => {
    const again = (second: number) => ({ at: text(second), kind: 'published' as const, data: {} });

    expect(getEntries('published', { events: [again(5), again(10)], dispatchedAt: at(11) })).toMatchObject([
      { at: at(5), data: { confirmed: false } },
      { at: at(10), data: { confirmed: false } },
      {
        at: at(11),
        data: { confirmed: true },
        text: 'The broker confirmed the call; runtimes can claim it.',
      },
    ]);
  });

  it.each([
    [
      'dispatch_failed' as const,
      'server',
      'The call was not placed: the message broker did not confirm it in time.',
    ],
    ['dispatch_expired' as const, 'server', 'The call was not placed: no runtime claimed it in time.'],
    [
      'invalid_destination' as const,
      'campaign',
      'The call was not placed: this installation does not allow the destination.',
    ],
    ['cancelled' as const, 'server', 'The call was cancelled before a runtime claimed it.'],
  ])('says how the server found out about %s', (reason, source, sentence) => {
    expect(failed(reason)).toMatchObject([{ at: at(9), source, text: sentence }]);
  });

  it.each([
    ['api', 'api', 'The call was cancelled before a runtime claimed it.'],
    [
      'campaign',
      'campaign',
      'The campaign took the call back before a runtime claimed it: it was paused, changed or cancelled, or its agent was deleted.',
    ],
    [
      'operator',
      'operator',
      'The call was cancelled before a runtime claimed it, because the operator suspended the workspace.',
    ],
  ])('says that a call was cancelled by the %s', (by, source, sentence) => {
    const events = [{ at: text(9), kind: 'cancelled' as const, data: { by } }];

    expect(failed('cancelled', { events })).toMatchObject([{ source, text: sentence }]);
  });

  it.each([
    ['user_hangup', 'The person hung up after 3 s.'],
    ['call_transfer', 'The call, which the agent had transferred, ended after 3 s.'],
    ['max_duration_reached', 'The call reached its maximum duration and ended after 3 s.'],
    ['cancelled', 'The call was cut off by the system after 3 s.'],
    ['dial_busy', 'The system ended the call (dial busy) after 3 s.'],
  ] as const)(
    'says what happened to a connected call, and in its data who reported it: %s',
    (disconnectReason, sentence) => {
      const changes = {
        ...({ status: 'disconnected', disconnectedBy: 'system', disconnectReason } as const),
        ...{ acceptedAt: at(1), endedAt: at(9), workerId: 'w', durationSec: 3 },
      };
      expect(getEntries('ended', changes)).toMatchObject([
        { source: 'runtime', text: sentence, data: { worker_id: 'w' } },
      ]);
    },
  );

  it.each([
    ['dial_busy', 'The line was busy.'],
    ['dial_no_answer', 'There was no answer.'],
    ['invalid_destination', 'The number cannot be called.'],
    ['cancelled', 'The system cancelled the call before it was connected.'],
    ['call_transfer', 'The system ended the call before it was connected (call transfer).'],
  ] as const)(
    'says why a call was not connected, and in its data who reported it: %s',
    (reason, sentence) => {
      expect(failed(reason, { acceptedAt: at(1), workerId: 'w' })).toMatchObject([
        { source: 'runtime', text: sentence, data: { worker_id: 'w' } },
      ]);
    },
  );

  it.each(RUNTIME_DISCONNECT_REASONS)('has no code in its sentences: %s', (reason) => {
    for (const status of ['disconnected', 'failed'] as const) {
      const end = { status, endedAt: at(9), acceptedAt: at(1), workerId: 'w', disconnectReason: reason };
      const texts = buildTimeline(facts({ ...end, disconnectedBy: 'agent' })).map((entry) => entry.text);
      expect(texts.join(' ')).not.toContain('_');
    }
  });

  it('names the actions of the agent that are no tools of the call, once a runtime has it', () => {
    const warn = (actions: string[], acceptedAt: Date | null = at(1)) =>
      getEntries('warning', { actions, acceptedAt }).map(({ source, text }) => [source, text]);
    const bounds = 'A call has one tool of a name, at most 40, and 256 KB of their descriptions.';
    const others = ['end_call', 'sales tel:+15551234567', 'https://shop.example/book'];
    expect(warn([...others, ' nothing', 'x'.repeat(70)])).toEqual([
      ['server', `The call has no such tools: nothing, ${'x'.repeat(59)}…. ${bounds}`],
    ]);
    const many = Array.from({ length: 52 }, (_, number) => `https://shop.example/do-${number}`);
    const named = many.slice(40, 50).map((address) => address.slice(21));
    expect(warn(many)).toEqual([
      ['server', `The call has no such tools: ${named.join(', ')}, and 2 more. ${bounds}`],
    ]);
    const twice = ['book https://shop.example/1', 'book https://shop.example/2'];
    expect(warn(twice)).toEqual([['server', `The call has no such tools: book. ${bounds}`]]);
    expect([warn(others), warn(['nothing'], null)]).toEqual([[], []]);
  });

  it('says that a runtime was lost, and in its data when it was last heard of', () => {
    expect(failed('worker_lost', { acceptedAt: at(1), heartbeatAt: at(4), workerId: 'w' })).toMatchObject([
      {
        source: 'server',
        text: 'The call was lost: its runtime stopped responding.',
        data: { worker_id: 'w', heartbeat_at: at(4) },
      },
    ]);
  });

  it.each([
    [55, 'The caller hung up after 55 s.'],
    [125, 'The caller hung up after 2 min 5 s.'],
    [3_725, 'The caller hung up after 1 h 2 min.'],
  ])(
    'calls the person of an incoming call the caller, and says how long it was: %i s',
    (durationSec, sentence) => {
      const end = {
        status: 'disconnected',
        disconnectReason: 'user_hangup',
        disconnectedBy: 'user',
      } as const;
      const changes = {
        ...end,
        direction: 'inbound',
        acceptedAt: at(1),
        endedAt: at(9),
        durationSec,
      } as const;
      expect(getEntries('ended', changes)).toMatchObject([{ text: sentence }]);
    },
  );

  it('keeps the first end of a corrected call beside the correction', () => {
    const changes: Partial<CallFacts> = {
      status: 'disconnected',
      workerId: 'w',
      acceptedAt: at(1),
      endedAt: at(8),
      disconnectReason: 'agent_hangup',
      disconnectedBy: 'agent',
      durationSec: 6,
      events: [
        {
          at: text(20),
          kind: 'corrected',
          data: { status: 'failed', endedAt: text(15), durationSec: 0 },
        },
      ],
    };

    expect(getEntries('ended', changes)).toEqual([]);
    expect(getEntries('failed', changes)).toMatchObject([
      { at: at(15), source: 'server', data: { disconnect_reason: 'worker_lost', duration_sec: 0 } },
    ]);
    expect(getEntries('corrected', changes)).toMatchObject([
      {
        at: at(20),
        source: 'runtime',
        text: 'The agent hung up after 6 s. A late report corrected the record.',
        data: { ended_at: at(8) },
      },
    ]);
  });

  it.each([
    [{ durationMs: null, statusCode: null, error: null }, 'has not ended'],
    [{ durationMs: 20, statusCode: 204, error: null }, 'was answered 204'],
    [
      { durationMs: 20, statusCode: 500, error: 'The response is not 2xx' },
      'was answered 500: The response is not 2xx',
    ],
    [{ durationMs: 20, statusCode: null, error: 'Connection refused' }, 'failed: Connection refused'],
  ])('shows an attempt of a webhook: %j', (result, sentence) => {
    const attempt = {
      at: text(6),
      number: 2,
      type: 'call.ended',
      url: 'https://a.example',
      endpointId: null,
      deliveryId: 'd',
      ...result,
    };

    expect(getEntries('webhook_attempt', { attempts: [attempt] })).toMatchObject([
      {
        at: at(6),
        source: 'webhook',
        text: `Attempt 2 to send call.ended to https://a.example ${sentence}.`,
      },
    ]);
  });

  it('shows what the runtime reported after the call', () => {
    const changes: Partial<CallFacts> = {
      workerId: 'w',
      recording: { at: text(30), url: 'https://a.example/1.wav', durationSec: 4 },
      analysis: { at: text(31), optOut: true, fields: 2 },
    };

    expect(getEntries('recorded', changes)).toMatchObject([
      { source: 'runtime', data: { recording_url: 'https://a.example/1.wav', duration_sec: 4 } },
    ]);
    expect(getEntries('analyzed', changes)).toMatchObject([
      {
        text: 'The analysis is available. The person asked not to be called again.',
        data: { fields: 2, opt_out: true },
      },
    ]);
  });
});
