import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { type CallStart, MESSAGE_TYPES } from '../../../src/platform/messaging/wire';
import { createAgent } from '../../support/agents';
import { AgentCalls } from '../../support/calls';
import { KeepAliveClient } from './keep-alive-client';
import { JWT_SECRET, TestParley, type TestWorkspace } from '../../support/parley';
import { ServerProcess } from '../../support/server-process';
import { until } from '../../support/until';
import { TestWorker } from '../../support/worker';

const CLIENTS = 4;

describe('A server that gets a SIGTERM', () => {
  const BROKER_PREFIX = `test-${randomUUID()}`;
  /** This server shares its database and broker with the stopped server, but handles no claims. */
  let front: TestParley;
  let workspace: TestWorkspace;
  let server: ServerProcess;
  /** Holds the lock for which the creation of a prompt template waits. */
  let gate: Client;

  beforeAll(async () => {
    front = await TestParley.start({ ROLES: 'http', BROKER_PREFIX });
    workspace = await front.workspace({ credits: 100_000 });
    // The session has no lock_timeout, which would end the waiting request before the stop aborts it.
    await front.sql(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM set_config(''lock_timeout'', ''0'', true), pg_advisory_xact_lock(1); RETURN NEW; END'`);
    await front.sql(`CREATE TRIGGER gate BEFORE INSERT ON prompt_templates
      FOR EACH ROW EXECUTE FUNCTION pass_gate()`);
  });
  beforeEach(async () => {
    server = await ServerProcess.start({
      DATABASE_URL: front.database.url,
      RABBITMQ_URL: process.env.TEST_RABBITMQ_URL ?? '',
      BROKER_PREFIX,
      ROLES: 'http,background',
      JWT_SECRET,
      LOG_LEVEL: 'silent',
    });
    gate = new Client(front.database.url);
    await gate.connect();
    await gate.query('SELECT pg_advisory_lock(1)');
  });
  afterEach(async () => {
    await gate.end();
    await server.kill();
  });
  afterAll(() => front.stop());

  /** Sends a request that stays in progress until the lock is released. */
  const sendBlocked = async () => {
    const template = { name: 'Blocked', greeting: 'Hello.', prompt: 'Be kind.' };
    const client = new KeepAliveClient(server.url, workspace.apiKey);
    const answer = client.post('/api/prompt-templates', template).catch((error: Error) => error);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    await until(async () => (await front.sql(waiting)).length > 0);
    return { answer };
  };

  /** A connection with an incomplete request. */
  const sendIncomplete = (): Socket => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET /api/workspace HTTP/1.1\r\nHost: parley\r\n');
    return socket;
  };

  /** A worker that claims every offered call, and requeues it if the claim is not answered. */
  const claimAll = async () => {
    const answered = new Set<string>();
    const unanswered = new Set<string>();
    const { callsQueue, claimsQueue } = front.topology;
    const subscription = await front.broker.consume({ queue: callsQueue, prefetch: 20 }, async (delivery) => {
      const { conversation_id } = delivery.message.body as CallStart;
      const claim = {
        exchange: '',
        routingKey: claimsQueue,
        type: MESSAGE_TYPES.claim,
        messageId: randomUUID(),
        body: { conversation_id, claim_id: randomUUID(), worker_id: 'test worker' },
      };
      const reply = await front.broker.request(claim, 500).catch(() => undefined);
      if (reply) answered.add(conversation_id);
      else unanswered.add(conversation_id);
      return reply ? delivery.ack() : delivery.requeue();
    });
    return { answered, unanswered, stop: () => subscription.cancel() };
  };

  test('completes its answers, answers no further claim, leaves other calls in the queue and exits with 0', async () => {
    const agentId = await createAgent(workspace);
    const path = `/api/agents/${agentId}/calls`;
    const worker = await claimAll();
    const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(server.url, workspace.apiKey));
    const failures = clients.map((client) => client.postUntilItFails(path, { to_number: '+15551234567' }));
    const [abandoned, completed] = [sendIncomplete(), sendIncomplete()];
    const abandonedIsClosed = once(abandoned.resume(), 'close');
    const answerToCompleted = text(completed);
    const blocked = await sendBlocked();
    await until(() => worker.answered.size > 100);

    const exit = server.stop();
    const ended = await Promise.all(failures);
    completed.write(`X-API-Key: ${workspace.apiKey}\r\n\r\n`);
    const late = await new AgentCalls(workspace.api, agentId).start();
    await until(() => worker.unanswered.has(late));
    await gate.query('SELECT pg_advisory_unlock(1)');

    expect(ended).toEqual(clients.map(() => 'ECONNREFUSED'));
    expect(await blocked.answer).toMatchObject({ status: 201, connection: 'close' });
    expect(await answerToCompleted).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n[^]*}$/);
    expect(await exit).toBe(0);
    await abandonedIsClosed;
    await worker.stop();
    const answers = clients.flatMap((client) => client.answers);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(clients.map((client) => client.answers.at(-1)?.connection)).toEqual(clients.map(() => 'close'));
    const accepted = [late, ...answers.map(({ body }) => body.data.conversation_id as string)];
    expect(worker.answered).not.toContain(late);
    const rest = await TestWorker.start(front);
    await Promise.all(accepted.filter((id) => !worker.answered.has(id)).map((id) => rest.findOffer(id)));
    await rest.stop();
  });

  test('exits with 1 if it had to abort a request', async () => {
    const { answer } = await sendBlocked();

    expect(await server.stop()).toBe(1);

    expect(await answer).toMatchObject({ code: 'ECONNRESET' });
    expect(server.output).toContain('Requests that were cut before their answer: 1.');
    expect(server.output).not.toMatch(/^ +at /m);
  });
});
