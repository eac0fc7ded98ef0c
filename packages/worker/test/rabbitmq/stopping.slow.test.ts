import { setTimeout as pause } from 'node:timers/promises';
import { createAgent } from '../../../../test/support/agents';
import { AgentCalls } from '../../../../test/support/calls';
import { useOwnParley } from '../../../../test/support/parley';
import { withChannel } from '../../../../test/support/rabbitmq';
import { until } from '../../../../test/support/until';
import { TestWorker } from '../../../../test/support/worker';
import { WorkerProcess } from '../support/worker-process';
import { useWorkers } from '../support/workers';

describe('A worker', () => {
  const parley = useOwnParley();
  const startWorker = useWorkers(parley);
  const processes: WorkerProcess[] = [];
  afterEach(() => Promise.all(processes.splice(0).map((process) => process.kill())));

  async function newCalls() {
    const workspace = await parley.workspace();
    return new AgentCalls(workspace.api, await createAgent(workspace));
  }

  /** A handler whose calls last until they are released. */
  function heldCalls() {
    const held: (() => void)[] = [];
    return {
      held,
      handler: async (call: { connected: () => Promise<void> }) => {
        await call.connected();
        await new Promise<void>((resolve) => held.push(resolve));
      },
    };
  }

  const inQueue = () =>
    withChannel(async (channel) => (await channel.checkQueue(parley.topology.callsQueue)).messageCount);

  describe('with a capacity', () => {
    test('takes no delivery without a free place, and the next one as soon as there is one', async () => {
      const { held, handler } = heldCalls();
      const { worker } = await startWorker(handler, { capacity: 3 });
      const calls = await newCalls();
      const ids = await Promise.all(Array.from({ length: 5 }, () => calls.start()));
      await until(() => held.length === 3);

      await until(async () => (await inQueue()) === 2);
      expect(worker.stats()).toMatchObject({ calls: 3, claimed: 3 });
      held.shift()?.();
      await until(() => worker.stats().claimed === 4);

      await until(async () => (await inQueue()) === 1);
      expect(worker.stats().calls).toBe(3);
      for (let released = 0; released < 4; released++) (await until(() => held.shift()))();
      for (const id of ids) await calls.reached(id, 'disconnected');
      expect(worker.stats()).toMatchObject({ calls: 0, claimed: 5 });
    });

    test('leaves calls to an idle worker when it is full', async () => {
      const full = heldCalls();
      const { worker } = await startWorker(full.handler);
      const calls = await newCalls();
      await calls.start();
      await until(() => worker.stats().calls === 1);

      const idle = await startWorker((call) => call.connected());
      for (let count = 0; count < 3; count++) await calls.reached(await calls.start(), 'disconnected');

      expect(idle.worker.stats().claimed).toBe(3);
      full.held[0]?.();
    });

    test('gives an incoming call a place before those of the queue, and refuses it with "stopping" when it stops', async () => {
      const { held, handler } = heldCalls();
      const { worker } = await startWorker(handler);
      const workspace = await parley.workspace();
      const calls = new AgentCalls(workspace.api, await createAgent(workspace));
      await workspace.api.put(`/api/agents/${calls.agentId}/phone-number`, { phone_number: '+15557001166' });
      await calls.start();
      await until(() => held.length === 1);
      await calls.start();

      const incoming = worker.incoming({ to_number: '+15557001166', from_number: '' });
      held.shift()?.();
      await until(() => held.length === 1);
      held.shift()?.();

      expect(await incoming).toMatchObject({ type: 'call.ended.v1' });
      (await until(() => held.shift()))();
      await worker.stop();
      const late = worker.incoming({ to_number: '+15557001166', from_number: '' });
      await expect(late).rejects.toMatchObject({ reason: 'stopping' });
    });
  });

  describe('that stops', () => {
    test('lets its calls end, takes no others, and logs how many ended', async () => {
      const { held, handler } = heldCalls();
      const { worker, ran } = await startWorker(handler, { capacity: 2 });
      const calls = await newCalls();
      const id = await calls.start();
      await until(() => held.length === 1);

      const stopping = worker.stop();
      expect(worker.stats().state).toBe('draining');
      const other = await calls.start();
      const idle = await TestWorker.start(parley);
      await idle.findOffer(other);
      held[0]?.();

      expect(await stopping).toEqual({ finished: 1, cut: 0 });
      await ran;
      expect(await worker.stop()).toEqual({ finished: 1, cut: 0 });
      expect(worker.stats().state).toBe('stopped');
      expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'agent_hangup' });
      await idle.stop();
    });

    test('aborts a call that takes too long with "stopping", and reports it as an error by the system', async () => {
      const codes: string[] = [];
      const { worker } = await startWorker(async (call) => {
        await call.connected();
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
        codes.push((call.signal.reason as { code: string }).code);
      });
      const calls = await newCalls();
      const id = await calls.start();
      await calls.reached(id, 'connected');

      expect(await worker.stop({ seconds: 0 })).toEqual({ finished: 1, cut: 0 });

      expect(codes).toEqual(['stopping']);
      expect(await calls.reached(id, 'disconnected')).toMatchObject({
        disconnect_reason: 'error',
        disconnected_by: 'system',
      });
    });

    test('reports a call itself whose handler does not end in five more seconds', async () => {
      const { worker } = await startWorker(async (call) => {
        await call.connected();
        await pause(60_000, undefined, { ref: false });
      });
      const calls = await newCalls();
      const id = await calls.start();
      await calls.reached(id, 'connected');

      expect(await worker.stop({ seconds: 0 })).toEqual({ finished: 0, cut: 1 });

      expect(await calls.reached(id, 'disconnected')).toMatchObject({
        disconnect_reason: 'error',
        disconnected_by: 'system',
      });
    });

    test('logs each call that it cuts, and ends its process although a handler continues, if it handles signals', async () => {
      const process = await WorkerProcess.start(parley, {
        handler: `
          await call.connected();
          console.log('talks');
          await new Promise((resolve) => setTimeout(resolve, 600_000));`,
        options: { capacity: 2, drainSeconds: 0 },
      });
      processes.push(process);
      const calls = await newCalls();
      const ids = await Promise.all([1, 2].map(() => calls.start()));
      await until(() => process.output.match(/talks/g)?.length === 2);

      process.signal('SIGTERM');

      await until(() => process.hasEnded, 20_000);
      expect(await process.ended()).toBe(0);
      for (const id of ids) {
        expect(process.output).toContain(`The call ${id} was cut: its handler has not ended.\n`);
        expect(await calls.reached(id, 'disconnected')).toMatchObject({
          disconnect_reason: 'error',
          disconnected_by: 'system',
        });
      }
      expect(process.output).toMatch(/state stopped\n(.*\n)*ran\n$/);
    });

    test('drains at a SIGTERM if it handles signals, and its process ends by itself', async () => {
      const process = await WorkerProcess.start(parley, {
        handler: `
          await call.connected();
          console.log('talks');
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          return { summary: 'Not cut.' };`,
      });
      processes.push(process);
      const calls = await newCalls();
      const id = await calls.start();
      await until(() => process.output.includes('talks'));

      process.signal('SIGTERM');

      expect(await process.ended()).toBe(0);
      expect(process.output).toMatch(/state draining\n(.*\n)*ended\n(.*\n)*state stopped\n(.*\n)*ran\n$/);
      expect(await calls.reached(id, 'disconnected')).toMatchObject({ metadata: { summary: 'Not cut.' } });
    });
  });

  test('rejects a message that it cannot read, once, and continues', async () => {
    const { log } = await startWorker((call) => call.connected());
    await withChannel(async (channel) => {
      channel.sendToQueue(parley.topology.callsQueue, Buffer.from('no json'), { type: 'call.start.v1' });
      await until(async () => (await channel.checkQueue(parley.topology.deadCallsQueue)).messageCount === 1);
    });

    expect(log.lines.filter((line) => line.startsWith('error'))).toEqual([
      `error Rejected a message of ${parley.topology.callsQueue}: it is not a JSON object in UTF-8.`,
    ]);
    const calls = await newCalls();
    await calls.reached(await calls.start(), 'disconnected');
  });
});
