import type { Call, ToolInvocation } from '@parley/worker';
import { fakeServer } from '@parley/worker/testing';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { MONDAY, useToolShop } from '../support/tool-shop';
import { until } from '../support/until';
import { answeringStatus } from '../support/webhook-receiver';

describe('A handler of the worker library', () => {
  const { tried, parley, worker, shop, createTool, bookings } = useToolShop();

  /** Starts and claims a call whose agent has the tool. @returns runs a handler for it */
  async function takeCall() {
    const agentId = await createAgent(tried.workspace, { actions: ['book_table'] });
    const offer = await worker.findOffer(await new AgentCalls(tried.workspace.api, agentId).start());
    const { conversation_id, tools } = offer.start;
    const options = {
      start: { conversation_id, tools },
      api: { ...(await offer.take()).api, url: parley.url },
    };
    return async <Result>(run: (call: Call) => Promise<Result>) => {
      let result: Result | undefined;
      await fakeServer().offer(async (call) => void (result = await run(call)), options);
      return result as Result;
    };
  }
  const book = (call: Call) => call.tool('book_table', MONDAY);

  test('gets the answer of a tool that the server asks, and the same one for the same asking', async () => {
    shop.answer(tried.path, (response) => void response.end('{"id":"b-17"}'));
    await createTool({ results: [{ variable: 'booking', pointer: '/id' }] });
    const [first, second] = await (await takeCall())(async (call) => [await book(call), await book(call)]);

    expect(first).toEqual({
      ...{ invocationId: expect.any(String) as string, state: 'done', result: { id: 'b-17' }, error: null },
      ...{ code: null, repeated: false, variables: { booking: 'b-17' } },
    });
    expect(second).toEqual({ ...first, repeated: true });
    expect(bookings()).toHaveLength(1);
  });

  test('is told in words why a tool is refused', async () => {
    await createTool({ confirm: true });
    const seen = await (
      await takeCall()
    )(async (call) => [
      await call.tool('other'),
      await call.tool('book_table', { persons: 13 }),
      await book(call),
      await call.tool('book_table', MONDAY, { confirmed: true }),
    ]);

    expect(seen.map(({ state, code, error }: ToolInvocation) => [state, code, error])).toEqual([
      ['refused', 'TOOL_NOT_FOUND', 'The call has no tool other, or it was deleted.'],
      ['refused', 'TOOL_ARGUMENTS_INVALID', 'day is missing; persons must be at most 12'],
      [
        ...['refused', 'TOOL_NOT_CONFIRMED'],
        'Ask the person first, and send `confirmed: true` if the person agrees.',
      ],
      ['done', null, null],
    ]);
  });

  test('goes on while a tool runs in the background, and waits for its end later', async () => {
    shop.hold(tried.path);
    await createTool({ mode: 'background' });
    const [asked, settled] = await (
      await takeCall()
    )(async (call) => {
      const asked = await book(call);
      await until(() => shop.holding === 1);
      shop.release(tried.path, 409);
      return [asked, await call.waitForTool(asked)];
    });

    expect(asked?.state).toBe('running');
    expect(settled).toMatchObject({ invocationId: asked?.invocationId, state: 'refused' });
  });

  test('stops waiting for a tool, which the server does all the same', async () => {
    shop.hold(tried.path);
    await createTool();
    const inCall = await takeCall();
    const stopping = new AbortController();
    const asked = await inCall(async (call) => {
      stopping.abort();
      return call.tool('book_table', MONDAY, { signal: stopping.signal });
    });
    expect(asked).toMatchObject({ state: 'running' });
    shop.release(tried.path, 200);

    expect(await inCall((call) => call.waitForTool(asked))).toMatchObject({ state: 'done' });
    expect(bookings()).toHaveLength(1);
  });

  test('waits out that the server is busy with other tools', async () => {
    shop.hold(tried.path);
    await createTool({ mode: 'background', effect: 'repeatable' });
    const seen = await (
      await takeCall()
    )(async (call) => {
      const running = await Promise.all([book(call), book(call), book(call)]);
      const fourth = book(call);
      shop.answer(tried.path, answeringStatus(200));
      shop.release(tried.path, 200);
      return [...running, await call.waitForTool(await fourth)];
    });

    expect(seen.map(({ state }) => state)).toEqual(['running', 'running', 'running', 'done']);
  });
});
