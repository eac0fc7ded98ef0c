import { MAX_VARIABLE_NAME_LENGTH } from '../../agents/agent-texts';
import { encodeBody, MAX_MESSAGE_BYTES } from '../../../platform/messaging/message-body';
import type { AcceptedCall } from './accepted-call';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from './call-request';
import { createCallStart, fillVariables, MAX_FILLED_LENGTH } from './call-start.message';

describe('A text with variables', () => {
  test('is filled with the values of its variables', () => {
    const variables = { name: 'Ada', company: 'Analytical Engines' };

    expect(fillVariables('Hello {{name}} of {{company}}, {{name}}!', variables)).toBe(
      'Hello Ada of Analytical Engines, Ada!',
    );
    expect(fillVariables('{{ name }}{{\tname\n}}', variables)).toBe('AdaAda');
    expect(fillVariables('{{{name}}}', variables)).toBe('{Ada}');
    expect(fillVariables('no variables', variables)).toBe('no variables');
    expect(fillVariables('', variables)).toBe('');
  });

  test('never becomes longer than its limit, however many placeholders it has', () => {
    const text = '{{name}}'.repeat(12_500);

    const filled = fillVariables(text, { name: 'x'.repeat(4_000) });

    expect(filled).toMatch(/^x{4000}/);
    expect(filled).toMatch(/\{\{name\}\}$/);
    expect(filled.length).toBeLessThanOrEqual(MAX_FILLED_LENGTH);
    expect(filled.length).toBeGreaterThan(MAX_FILLED_LENGTH - 4_000);
  });

  test('keeps names without a value as they are', () => {
    for (const text of [
      '{{unknown}}',
      '{{ unknown }}',
      '{{}}',
      '{name}',
      '{{na}me}}',
      '{{toString}}',
      '{{__proto__}}',
    ]) {
      expect(fillVariables(text, { name: 'Ada' })).toBe(text);
    }
  });

  test('can be filled with an empty value', () => {
    expect(fillVariables('[{{name}}]', { name: '' })).toBe('[]');
  });

  test('accepts names of every kind', () => {
    expect(
      fillVariables('{{first name}} {{a.b}} {{$1}} {{名}}', {
        'first name': '1',
        'a.b': '2',
        $1: '3',
        名: '4',
      }),
    ).toBe('1 2 3 4');
    expect(fillVariables(`{{${'x'.repeat(200)}}}`, { ['x'.repeat(200)]: 'long' })).toBe('long');
  });

  test('does not fill the placeholders that a value contains', () => {
    const variables = {
      name: '{{secret}}',
      half: '{{sec',
      rest: 'ret}}',
      secret: 'hidden',
      dollar: "$& $1 $' $$",
    };

    expect(fillVariables('{{name}}', variables)).toBe('{{secret}}');
    expect(fillVariables('{{half}}{{rest}}', variables)).toBe('{{secret}}');
    expect(fillVariables('{{dollar}}', variables)).toBe("$& $1 $' $$");
  });

  test('is filled, however many braces it has', () => {
    const braces = '{'.repeat(100_000);

    expect(fillVariables(`${braces}name}}`, { name: 'Ada' })).toBe(`${braces.slice(2)}Ada`);
    expect(fillVariables('{{a'.repeat(50_000), { a: 'b' })).toBe('{{a'.repeat(50_000));
  });
});

describe('The message that offers a call', () => {
  const snapshot = {
    name: 'Desk {{guest}}',
    type: 'outbound',
    prompt: 'You speak with {{guest}}.',
    greeting: 'Hello {{guest}}!',
    metaData: { note: '{{guest}}' },
  };
  const call: AcceptedCall = {
    id: 'call',
    workspaceId: 'workspace',
    userId: 'user',
    agentId: 'agent',
    agentVersion: 3,
    campaignId: null,
    callType: 'phonecall',
    direction: 'outbound',
    channel: 'voice',
    toNumber: '+15551234567',
    fromNumber: '',
    request: {
      greeting: '',
      dynamic_variables: { guest: 'Ada' },
      customer_name: 'Ada {{guest}}',
      webhook_url: '',
      external_id: '{{guest}}',
      memory_id: '',
      style: '{{guest}}',
      traceparent: '',
    },
    createdAt: new Date('2026-01-31T09:30:00.000Z'),
    expiresAt: new Date('2026-01-31T09:31:00.000Z'),
    timeLeftMs: 60_000,
  };

  test('has the variables filled into the prompt and the greeting, and nowhere else', () => {
    expect(createCallStart(call, snapshot)).toEqual({
      conversation_id: 'call',
      workspaceId: 'workspace',
      userId: 'user',
      agent_id: 'agent',
      agent_version: 3,
      campaign_id: null,
      call_type: 'phonecall',
      direction: 'outbound',
      channel: 'voice',
      to_number: '+15551234567',
      from_number: '',
      customer_name: 'Ada {{guest}}',
      greeting: 'Hello Ada!',
      dynamic_variables: { guest: 'Ada' },
      memory_id: '',
      style: '{{guest}}',
      external_id: '{{guest}}',
      traceparent: '',
      webhook_url: '',
      knowledge_bases: [],
      created_at: '2026-01-31T09:30:00.000Z',
      expires_at: '2026-01-31T09:31:00.000Z',
      agent: {
        name: 'Desk {{guest}}',
        type: 'outbound',
        prompt: 'You speak with Ada.',
        greeting: 'Hello Ada!',
        metaData: { note: '{{guest}}' },
      },
    });
  });

  test('fills customer_name, unless a variable has that name', () => {
    const asking = { ...snapshot, prompt: 'Ask {{customer_name}}.' };
    const promptFor = (request: Partial<AcceptedCall['request']>) =>
      createCallStart({ ...call, request: { ...call.request, ...request } }, asking).agent.prompt;

    expect(promptFor({ customer_name: 'Ada' })).toBe('Ask Ada.');
    expect(promptFor({ customer_name: '' })).toBe('Ask {{customer_name}}.');
    expect(promptFor({ customer_name: 'Ada', dynamic_variables: { customer_name: 'Countess' } })).toBe(
      'Ask Countess.',
    );
  });

  test('has the search path of each knowledge base', () => {
    const informed = { ...snapshot, knowledgeBases: ['one', 'two'] };

    expect(createCallStart(call, informed).knowledge_bases).toEqual([
      { kb_id: 'one', search: '/api/knowledge-base/one/search' },
      { kb_id: 'two', search: '/api/knowledge-base/two/search' },
    ]);
  });

  test('can be published even if every part of it has its maximum size', () => {
    // Six bytes in JSON, the most that a character can take.
    const text = (length: number) => '\u0001'.repeat(length);
    const filled = '{{longest}}'.repeat(MAX_FILLED_LENGTH / MAX_VARIABLE_LENGTH);
    const names = Array.from(
      { length: MAX_VARIABLES - 1 },
      (_, index) => index + text(MAX_VARIABLE_NAME_LENGTH - 2),
    );
    const widest = { metaData: { notes: 'x'.repeat(1_048_576) }, prompt: filled, greeting: filled };
    const wideCall: AcceptedCall = {
      ...call,
      request: {
        greeting: filled,
        dynamic_variables: Object.fromEntries(
          ['longest', ...names].map((name) => [name, text(MAX_VARIABLE_LENGTH)]),
        ),
        customer_name: text(MAX_CUSTOMER_NAME_LENGTH),
        webhook_url: text(2_048),
        external_id: text(1_024),
        memory_id: text(200),
        style: text(2_000),
        traceparent: text(55),
      },
    };
    const message = createCallStart(wideCall, widest);

    expect(message.greeting).toHaveLength(MAX_FILLED_LENGTH);
    expect(message.agent).toMatchObject({ prompt: message.greeting, greeting: message.greeting });
    expect(encodeBody(message).length).toBeGreaterThan(0.8 * MAX_MESSAGE_BYTES);
  });

  test("has the call's own greeting where the request has one", () => {
    const request = { ...call.request, greeting: 'Good day, {{guest}}.' };

    expect(createCallStart({ ...call, request }, snapshot)).toMatchObject({
      greeting: 'Good day, Ada.',
      agent: { greeting: 'Hello Ada!' },
    });
  });

  test('is the same every time that it is built from the same call', () => {
    expect(createCallStart(call, snapshot)).toEqual(
      createCallStart(structuredClone(call), structuredClone(snapshot)),
    );
  });
});
