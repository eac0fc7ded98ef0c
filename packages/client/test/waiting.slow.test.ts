import { useStarted } from '../../../test/support/use-started';
import { ClientServer } from './support/client-server';

const server = useStarted(() => ClientServer.start());

test('A wait for the end of a call ends at its time limit, with the status of the call', async () => {
  const parley = server.client(await server.workspace());
  const agent = await parley.agents.create({ type: 'outbound', name: 'Front desk' });
  await server.withoutRuntime(async () => {
    const { conversation_id } = await parley.calls.start(agent._id, { to_number: '+15551234500' });
    const begun = Date.now();
    await expect(parley.calls.waitForEnd(conversation_id, { timeoutMs: 700 })).rejects.toMatchObject({
      status: 0,
      code: 'TIMEOUT',
      message: expect.stringMatching(/has not ended within 700 ms; its status is queued/) as string,
    });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(700);
    expect(Date.now() - begun).toBeLessThan(5_000);
  });
});
