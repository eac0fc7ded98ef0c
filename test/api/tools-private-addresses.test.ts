import { useToolShop } from '../support/tool-shop';

const PRIVATE = 'it leads to a private address';

describe.each(['127.0.0.1', 'localhost'])('No tool leads to the private address %s:', (host) => {
  const { tried, shop, createTool, takeCall, asked, bookings } = useToolShop({
    mayReachPrivateAddresses: false,
  });
  const privateUrl = () => shop.url(tried.path).replace('127.0.0.1', host);

  afterEach(() => expect(bookings()).toEqual([]));

  test('it is not asked in a call, in a test, or as an action', async () => {
    const id = await createTool({ url: privateUrl() });
    const failed = { state: 'failed', error: PRIVATE };
    expect(await asked(await takeCall())).toMatchObject(failed);
    const noting = await takeCall({}, [`note ${privateUrl()}`]);
    expect(await asked(noting, {}, { tool: 'note' })).toMatchObject(failed);
    const { body } = await tried.workspace.api.post(`/api/tools/${id}/test`, { arguments: { day: '1' } });
    expect(body.data).toMatchObject({ status: null, error: PRIVATE });
  });

  test('a server of tools there cannot be stored', async () => {
    const { status, body } = await tried.workspace.api.post('/api/tools', {
      ...{ name: 'shop', kind: 'mcp', description: 'A shop.', url: privateUrl(), tools: ['search'] },
    });
    expect([status, body.error_code]).toEqual([422, 'TOOL_SERVER_UNAVAILABLE']);
  });
});
