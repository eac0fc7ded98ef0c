import { randomUUID } from 'node:crypto';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { contractErrors } from '../support/asyncapi';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { WORKER_ID } from '../support/worker';
import { claimOverTheWire, incomingOverTheWire } from '../support/wire-claims';

describe('A claim whose routing key names a workspace', () => {
  const parley = useOwnParley();
  let own: TestWorkspace;
  let foreign: TestWorkspace;
  let lastNumber = 4_000_000;

  beforeAll(async () => {
    own = await parley.workspace();
    foreign = await parley.workspace();
  });

  const newCall = async ({ api }: TestWorkspace) => {
    const calls = new AgentCalls(api, await createAgent({ api }));
    const id = await calls.start();
    return { id, status: async () => (await calls.conversation(id)).status as string };
  };

  async function newNumber({ api }: TestWorkspace): Promise<string> {
    const agentId = await createAgent({ api });
    const phone_number = `+1555${(lastNumber += 1)}`;
    expect((await api.put(`/api/agents/${agentId}/phone-number`, { phone_number })).status).toBe(200);
    return phone_number;
  }

  const claim = (conversation_id: string, routingKey?: string, claim_id = randomUUID()) =>
    claimOverTheWire(parley, { conversation_id, claim_id, worker_id: WORKER_ID }, routingKey);

  const incoming = (to_number: string, routingKey?: string, claim_id = randomUUID()) =>
    incomingOverTheWire(
      parley,
      { claim_id, worker_id: WORKER_ID, to_number, from_number: '+4915112345678' },
      routingKey,
    );

  test('is granted for a call of this workspace, and again when it is repeated', async () => {
    const { id } = await newCall(own);
    const claimId = randomUUID();

    const granted = await claim(id, `claim.${own.workspaceId}`, claimId);

    expect(granted.type).toBe(MESSAGE_TYPES.claimed);
    expect((await claim(id, `claim.${own.workspaceId}`, claimId)).body).toEqual(granted.body);
    expect((await claim(id, `claim.${foreign.workspaceId}`, claimId)).type).toBe(MESSAGE_TYPES.claimRefused);
  });

  test('is refused for a call of another workspace as for a call that does not exist', async () => {
    const [call, unknown] = [await newCall(foreign), randomUUID()];

    const [refused, ofUnknown] = [
      await claim(call.id, `claim.${own.workspaceId}`),
      await claim(unknown, `claim.${own.workspaceId}`),
    ];

    expect(refused).toMatchObject({
      type: MESSAGE_TYPES.claimRefused,
      body: { reason: 'The call cannot be claimed: there is no such call.' },
    });
    expect(ofUnknown.body.reason).toBe(refused.body.reason);
    expect(await call.status()).toBe('queued');
    expect((await claim(call.id)).type).toBe(MESSAGE_TYPES.claimed);
  });

  test('of a call that reached the worker is accepted for a number of this workspace', async () => {
    const number = await newNumber(own);

    const answer = await incoming(number, `incoming.${own.workspaceId}`);

    expect(answer.type).toBe(MESSAGE_TYPES.incomingAccepted);
    expect(answer.body.call).toMatchObject({ workspaceId: own.workspaceId, to_number: number });
  });

  test('of a call to the number of another workspace is refused as if the number did not exist, and costs nothing', async () => {
    const [number, unknown] = [await newNumber(foreign), '+15554999999'];
    const { credits } = await readLedger(parley, foreign.workspaceId);
    const key = `incoming.${own.workspaceId}`;
    const [ofForeign, ofUnknown] = [randomUUID(), randomUUID()];

    const answers = [await incoming(number, key, ofForeign), await incoming(unknown, key, ofUnknown)];

    expect(answers.map(({ type }) => type)).toEqual(Array(2).fill(MESSAGE_TYPES.incomingRefused));
    expect(answers.map(({ body }) => body)).toEqual([
      { claim_id: ofForeign, reason: 'unknown_number' },
      { claim_id: ofUnknown, reason: 'unknown_number' },
    ]);
    expect((await readLedger(parley, foreign.workspaceId)).credits).toBe(credits);
    expect((await incoming(number)).type).toBe(MESSAGE_TYPES.incomingAccepted);
  });

  test('does not get the call that another workspace has for the same claim', async () => {
    const number = await newNumber(foreign);
    const claimId = randomUUID();
    await incoming(number, undefined, claimId);

    const answer = await incoming(number, `incoming.${own.workspaceId}`, claimId);

    expect(answer.body).toEqual({ claim_id: claimId, reason: 'unknown_number' });
  });

  // Keys that the permissions of every worker allow, or that the header CC can bring to the queue of claims.
  test.each([
    ['an event', () => 'call.heartbeat'],
    ['no workspace', () => 'claim.all'],
    ['a call that reached a worker', () => `incoming.${foreign.workspaceId}`],
  ])('is refused with the reason if it has the key of %s', async (_, key) => {
    const { id, status } = await newCall(foreign);

    const answer = await claim(id, key());

    expect(answer.type).toBe(MESSAGE_TYPES.claimRefused);
    expect(answer.body.reason).toBe(
      'The claim is malformed: its routing key must be "claim", or "claim." and the id of a workspace.',
    );
    expect(contractErrors(answer)).toEqual([]);
    expect(await status()).toBe('queued');
  });

  test.each([
    ['an event', () => 'call.heartbeat'],
    ['no workspace', () => 'incoming.all'],
    ['a claim', () => `claim.${foreign.workspaceId}`],
  ])('of a call that reached the worker is refused if it has the key of %s', async (_, key) => {
    const number = await newNumber(foreign);

    const answer = await incoming(number, key());

    expect(answer.type).toBe(MESSAGE_TYPES.incomingRefused);
    expect(answer.body.reason).toBe(
      'The claim is malformed: its routing key must be "claim", or "incoming." and the id of a workspace.',
    );
    expect(contractErrors(answer)).toEqual([]);
  });
});
