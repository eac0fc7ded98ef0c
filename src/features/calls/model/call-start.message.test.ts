import { MAX_FILLED_LENGTH } from '@parley/worker';
import { MAX_VARIABLE_NAME_LENGTH } from '../../agents/agent-texts';
import { encodeBody, MAX_MESSAGE_BYTES } from '../../../platform/messaging/message-body';
import type { AcceptedCall } from './accepted-call';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH, MAX_VARIABLES } from './call-request';
import { createCallStart } from './call-start.message';
import { NO_ANALYSIS } from '../../agents/agent-analysis';
import { listOfferedTools } from '../../tools/offered-tools';
import type { PinnedTool } from '../../tools/tool-definition';

describe('The message that offers a call', () => {
  const snapshot = {
    name: 'Desk {{guest}}',
    type: 'outbound',
    prompt: 'You speak with {{guest}}.',
    greeting: 'Hello {{guest}}!',
    metaData: { note: '{{guest}}' },
  };
  const tool: PinnedTool = {
    ...{ tool_id: 'tool', name: 'book_table', kind: 'http', description: 'Books a table.', parameters: {} },
    ...{
      url: 'https://shop.example.com/',
      method: 'POST',
      headers: { Authorization: 'Bearer {{secret:KEY}}' },
    },
    ...{ fixed: { channel: 'phone' }, effect: 'once', once_by: null, idempotent: false, timeout_ms: 8_000 },
    ...{ mode: 'background', confirm: true, say: 'One moment.', results: [] },
  };
  const configuration = { snapshot, tools: [], analysis: NO_ANALYSIS };
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
    expect(createCallStart(call, configuration)).toEqual({
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
      tools: [],
      analysis: NO_ANALYSIS,
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
      createCallStart(
        { ...call, request: { ...call.request, ...request } },
        { ...configuration, snapshot: asking },
      ).agent.prompt;

    expect(promptFor({ customer_name: 'Ada' })).toBe('Ask Ada.');
    expect(promptFor({ customer_name: '' })).toBe('Ask {{customer_name}}.');
    expect(promptFor({ customer_name: 'Ada', dynamic_variables: { customer_name: 'Countess' } })).toBe(
      'Ask Countess.',
    );
  });

  test('has the search path of each knowledge base', () => {
    const informed = { ...snapshot, knowledgeBases: ['one', 'two'] };

    expect(createCallStart(call, { ...configuration, snapshot: informed }).knowledge_bases).toEqual([
      { kb_id: 'one', search: '/api/knowledge-base/one/search' },
      { kb_id: 'two', search: '/api/knowledge-base/two/search' },
    ]);
  });

  test('has what a language model is told about a tool, and nothing of its requests', () => {
    const { tools } = createCallStart(call, { ...configuration, tools: listOfferedTools({}, [tool]) });

    expect(tools).toEqual([
      {
        name: 'book_table',
        description: 'Books a table.',
        parameters: { type: 'object', properties: {} },
        mode: 'background',
        confirm: true,
        say: 'One moment.',
      },
    ]);
  });

  test('has the criteria, and the fields that the runtime finds out', () => {
    const shared = { type: 'string', description: 'It.' } as const;
    const fields = [
      { name: 'result', enum: ['booked', 'none'], from: 'model', ...shared },
      { name: 'booking', from: 'tool:book_table#/id', ...shared },
    ];
    const criteria = [{ name: 'consent', text: 'The person agreed.' }];

    expect(createCallStart(call, { ...configuration, analysis: { fields, criteria } }).analysis).toEqual({
      fields: [{ name: 'result', enum: ['booked', 'none'], ...shared }],
      criteria,
    });
  });

  test('offers the actions that have an address, unless a tool has the name', () => {
    const actions = [
      'book_table',
      'send-mail https://mail.example.com/send',
      'https://shop.example.com/orders/cancel/',
      'book_table https://old.example.com/',
      'end_call https://shop.example.com/',
      'sales tel:+15551234567',
      'unknown',
    ];
    const offered = listOfferedTools({ actions }, [tool]);

    expect(offered.map(({ name, url, tool_id }) => [name, url, tool_id])).toEqual([
      ['book_table', 'https://shop.example.com/', 'tool'],
      ['send-mail', 'https://mail.example.com/send', null],
      ['cancel', 'https://shop.example.com/orders/cancel/', null],
    ]);
    expect(createCallStart(call, { ...configuration, tools: offered }).tools[1]).toMatchObject({
      description: 'Does "send mail". Give what is needed for it, by name.',
      parameters: { type: 'object', additionalProperties: true },
    });
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
    const largest = Array.from({ length: 40 }, (_, index) => ({
      ...tool,
      name: `tool_${index}`,
      parameters: { type: 'object', title: 'x'.repeat(32_000) },
    }));
    const message = createCallStart(wideCall, {
      snapshot: widest,
      tools: listOfferedTools({}, largest),
      analysis: { fields: [], criteria: [{ name: 'x', text: text(10_000) }] },
    });

    expect(message.greeting).toHaveLength(MAX_FILLED_LENGTH);
    expect(message.agent).toMatchObject({ prompt: message.greeting, greeting: message.greeting });
    expect(encodeBody(message).length).toBeGreaterThan(0.8 * MAX_MESSAGE_BYTES);
  });

  test("has the call's own greeting where the request has one", () => {
    const request = { ...call.request, greeting: 'Good day, {{guest}}.' };

    expect(createCallStart({ ...call, request }, configuration)).toMatchObject({
      greeting: 'Good day, Ada.',
      agent: { greeting: 'Hello Ada!' },
    });
  });

  test('is the same every time that it is built from the same call', () => {
    expect(createCallStart(call, configuration)).toEqual(
      createCallStart(structuredClone(call), structuredClone(configuration)),
    );
  });
});
