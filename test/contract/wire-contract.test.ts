import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topologyNames } from '../../src/platform/messaging/topology';
import {
  type QueueDeclaration,
  topologyDeclarations,
} from '../../src/platform/messaging/topology-declarations';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { asyncapi, contractErrors } from '../support/asyncapi';
import { AgentCalls } from '../support/calls';
import { type TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';
import { until } from '../support/until';
import { claimOverTheWire, takeClaim } from '../support/wire-claims';
import { WireTap } from '../support/wire-tap';

const { channels, components } = asyncapi;
const messages = Object.values(components.messages);

async function agentCalls(parley: TestParley, agent: object = {}, workspace?: TestWorkspace) {
  const owner = workspace ?? (await parley.workspace());
  return new AgentCalls(owner.api, await createAgent(owner, agent));
}

async function createKnowledgeBase({ api }: TestWorkspace): Promise<string> {
  const form = new FormData();
  form.set('name', 'Prices');
  form.set('file', new Blob(['A haircut is 30 euros.'], { type: 'text/plain' }), 'prices.txt');
  const { headers } = await api.raw('/api/knowledge-base', { method: 'POST', body: form });
  const location = headers.get('location') ?? 'no location';
  return new URL(location, 'http://localhost').searchParams.get('kb_id') ?? location;
}

describe('docs/asyncapi.yaml', () => {
  const names = topologyNames('voice');
  const declared = topologyDeclarations(names);

  test('has exactly the exchanges and queues that the server declares', () => {
    const documented = Object.values(channels).flatMap((channel) => {
      const { exchange, queue } = channel.bindings?.amqp ?? {};
      const { 'x-amqp-arguments': args = {}, 'x-amqp-bindings': bindings = [] } = channel;
      if (exchange) return { name: exchange.name, type: exchange.type, args, bindings };
      return queue ? { name: queue.name, args, bindings } : [];
    });
    const getArguments = (queue: QueueDeclaration) => ({
      'x-queue-type': 'quorum',
      ...(queue.deliveryLimit && { 'x-delivery-limit': queue.deliveryLimit }),
      ...(queue.messageTtlMs && { 'x-message-ttl': queue.messageTtlMs }),
      ...(queue.maxLength && { 'x-max-length': queue.maxLength }),
      ...(queue.deadLetterQueue && {
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': queue.deadLetterQueue,
      }),
    });

    expect(new Set(documented)).toEqual(
      new Set([
        ...declared.exchanges.map(({ name, type, alternateExchange }) => ({
          name,
          type,
          args: alternateExchange ? { 'alternate-exchange': alternateExchange } : {},
          bindings: [],
        })),
        ...declared.queues.map((queue) => ({
          name: queue.name,
          args: getArguments(queue),
          bindings: declared.bindings
            .filter((binding) => binding.queue === queue.name)
            .map(({ exchange, routingKey }) => ({ exchange, routingKey })),
        })),
      ]),
    );
    // The voice runtimes declare the queues of their pools.
    const { webCallsQueue: _web, phoneCallsQueue: _phone, ...ofServer } = names;
    expect(documented.map(({ name }) => name).sort()).toEqual(Object.values(ofServer).sort());
  });

  test.each(messages)('has a valid example of $name', ({ name, examples }) => {
    expect(examples).not.toEqual([]);
    for (const { payload } of examples) {
      const body = payload as { conversation_id: string };
      expect(contractErrors({ type: name, routingKey: '', body })).toEqual([]);
    }
  });

  test('refuses messages that it does not describe', () => {
    const body = {
      conversation_id: 'no uuid',
      token: randomUUID(),
      lease_seconds: 30,
      heartbeat_seconds: 10,
      extra: true,
    };
    const properties = { type: MESSAGE_TYPES.claimed, priority: 5 };

    expect(contractErrors({ type: MESSAGE_TYPES.claimed, routingKey: '', body, properties })).toEqual([
      'body/extra is not documented',
      expect.stringMatching(/^body must have required property 'api'/),
      expect.stringMatching(/^body must NOT have additional properties/),
      expect.stringMatching(/^body\/conversation_id must match format "uuid"/),
      ...['content_type', 'message_id', 'correlation_id', 'delivery_mode'].map(
        (name) => expect.stringContaining(`properties must have required property '${name}'`) as string,
      ),
      expect.stringMatching(/^properties must NOT have additional properties/),
    ]);
    expect(contractErrors({ type: 'call.moved.v1', routingKey: '', body })).toEqual([
      'There is no message call.moved.v1.',
    ]);
  });
});

describe('The server conforms to docs/asyncapi.yaml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  const parley = useOwnParley({ PARLEY_DATA: folder });
  let tap: WireTap;

  beforeAll(async () => {
    tap = await WireTap.on(parley, [{ exchange: parley.topology.unroutedCalls, routingKey: '' }]);
  });
  afterAll(async () => {
    await tap.close();
    rmSync(folder, { recursive: true });
  });

  const findOffer = (id: string) => until(() => tap.of(id, MESSAGE_TYPES.callStart)[0]);

  test('with a call that has every field', async () => {
    const workspace = await parley.workspace();
    const agent = {
      name: 'Front desk',
      metaData: { crm: { id: 7 } },
      dynamic_variables: ['customer'],
      voicemailConfig: { isEnabled: true, message: 'Please call back.' },
      knowledgeBases: [await createKnowledgeBase(workspace)],
    };
    const calls = await agentCalls(parley, agent, workspace);
    const id = await calls.start({
      to_number: '+15551234567',
      call_type: 'phonecall',
      greeting: 'Good day, {{customer}}!',
      dynamic_variables: { customer: 'Ada' },
      channel: 'sales',
      customer_name: 'Ada Lovelace',
      webhook_url: 'https://example.com/hook',
      external_id: 'order/17',
      memory_id: 'ada',
      style: 'cheerful',
      direction: 'inbound',
    });

    const offer = await findOffer(id);

    expect(contractErrors(offer)).toEqual([]);
    expect(offer.routingKey).toBe(`call.start.sales.${calls.agentId}`);
    if (parley.broker.kind === 'rabbitmq') {
      const [own, pool] = [workspace.workspaceId, `sales.${calls.agentId}`];
      const CC = [`call.start.${own}.${pool}`, `call.phonecall.${own}.${pool}`];
      expect(offer.properties?.headers).toEqual({ CC });
    }
    expect(offer.body.knowledge_bases).toHaveLength(1);
  });

  test('with a call that has the required fields only', async () => {
    const calls = await agentCalls(parley, { type: 'chat', greeting: '' });

    const id = await calls.start({ to_number: undefined, call_type: 'webcall' });

    expect(contractErrors(await findOffer(id))).toEqual([]);
  });

  test('with a second routing key for the worker pools of one workspace', async () => {
    const [owner, stranger] = [await parley.workspace(), await parley.workspace()];
    const routingKey = `call.start.${owner.workspaceId}.#`;
    const pool = await WireTap.on(parley, [{ exchange: parley.topology.calls, routingKey }]);
    const [own, theirs] = [await agentCalls(parley, {}, owner), await agentCalls(parley, {}, stranger)];

    const [foreign, id] = [await theirs.start(), await own.start()];

    await until(() => pool.of(id)[0]);
    expect(pool.of(foreign)).toEqual([]);
    expect(tap.of(id)).toEqual([]);
    await findOffer(foreign);
    await pool.close();
  });

  test('with its replies to claims', async () => {
    const conversation_id = await (await agentCalls(parley)).start();
    const claim = { conversation_id, claim_id: randomUUID(), worker_id: 'test' };

    const granted = await claimOverTheWire(parley, claim);
    const askedAgain = await claimOverTheWire(parley, claim);
    const refused = await claimOverTheWire(parley, { ...claim, claim_id: randomUUID() });

    expect(granted.type).toBe(MESSAGE_TYPES.claimed);
    expect(askedAgain.body).toEqual(granted.body);
    expect(refused.type).toBe(MESSAGE_TYPES.claimRefused);
    expect([granted, askedAgain, refused].flatMap(contractErrors)).toEqual([]);
  });
});

describe('A malformed claim', () => {
  const parley = useOwnParley();

  test.each([
    [
      'a text for its call',
      { conversation_id: 'mine', claim_id: randomUUID(), worker_id: 'test' },
      'conversation_id',
    ],
    ['no claim_id', { conversation_id: randomUUID(), worker_id: 'test' }, 'claim_id'],
    ['nothing', {}, 'conversation_id'],
  ])('because it has %s is refused with the reason', async (_, claim, field) => {
    const answer = await claimOverTheWire(parley, claim);

    expect(answer.type).toBe(MESSAGE_TYPES.claimRefused);
    expect(answer.body.reason).toMatch(new RegExp(`^The claim is malformed: body.${field}: `));
    expect(contractErrors(answer)).toEqual([]);
  });

  test('because it is too large is refused with the limit', async () => {
    const ids = { conversation_id: randomUUID(), claim_id: randomUUID() };

    const answer = await claimOverTheWire(parley, { ...ids, worker_id: 'x'.repeat(65_536) });

    expect(answer).toMatchObject({
      type: MESSAGE_TYPES.claimRefused,
      body: {
        conversation_id: '',
        reason: expect.stringMatching(/it has \d+ bytes, and 65536 is the limit\.$/) as string,
      },
    });
    expect(contractErrors(answer)).toEqual([]);
  });
});

describe('The simulated runtime conforms to docs/asyncapi.yaml', () => {
  describe('with its events', () => {
    const parley = useOwnParley({ LEASE_SECONDS: '1' });
    const startRuntime = useSimulatedRuntimes(parley);
    let tap: WireTap;

    beforeAll(async () => {
      tap = await WireTap.on(parley, [{ exchange: parley.topology.events, routingKey: 'call.#' }]);
    });
    afterAll(() => tap.close());

    test('of every type', async () => {
      await startRuntime({ pace: 200 });
      const calls = await agentCalls(parley);

      const [answered, busy] = [await calls.start(), await calls.start({ to_number: '+15551234501' })];
      await until(() => tap.of(answered, MESSAGE_TYPES.ended)[0]);
      await until(() => tap.of(busy, MESSAGE_TYPES.failed)[0]);

      const events = [...tap.of(answered), ...tap.of(busy)];
      expect(events.flatMap(contractErrors)).toEqual([]);
      for (const { type, routingKey } of events) expect(type).toBe(`${routingKey}.v1`);
      const { connected, heartbeat, ended, failed, transcript, recorded, analyzed } = MESSAGE_TYPES;
      expect(new Set(events.map(({ type }) => type))).toEqual(
        new Set([connected, heartbeat, ended, failed, transcript, recorded, analyzed]),
      );
    });
  });

  describe('with its claims', () => {
    const parley = useOwnParley({ ROLES: 'http' });
    const startRuntime = useSimulatedRuntimes(parley);

    test('of its calls', async () => {
      await startRuntime({ claimTimeoutMs: 1_000 });
      const id = await (await agentCalls(parley)).start();

      const claim = await takeClaim(parley);

      expect(claim).toMatchObject({ type: MESSAGE_TYPES.claim, body: { conversation_id: id } });
      expect(contractErrors(claim)).toEqual([]);
    });
  });
});
