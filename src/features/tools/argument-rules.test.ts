import { toArgumentRules } from './argument-rules';
import { offerTools } from './mcp-tools';
import type { HttpDefinition, McpDefinition, OfferedTool } from './tool-definition';

const COMMON = {
  ...{ description: 'Books.', headers: {}, fixed: { channel: 'phone' }, once_by: null, timeout_ms: 8_000 },
  ...{ mode: 'wait' as const, confirm: false, say: '', results: [] },
};
const HTTP: HttpDefinition = {
  ...{ ...COMMON, kind: 'http', url: 'https://shop.example.com/book', parameters: { type: 'object' } },
  ...{ method: 'POST', effect: 'once', idempotent: false },
};
const httpTool = (url: string): OfferedTool => ({
  ...{ ...HTTP, url },
  ...{ tool_id: '01980f77-b164-725f-bf3b-3bb3f4a5c6ed', name: 'book', server_tool: null },
});
const MCP: McpDefinition = {
  ...{ ...COMMON, kind: 'mcp', url: 'https://shop.example.com/{id}', effect: null, idempotent: null },
  tools: [{ name: 'book', description: 'Books.', parameters: { anyOf: [] }, annotations: {} }],
};

describe('The rules for arguments', () => {
  test('have the parameters and the fixed names of a tool', () => {
    expect(toArgumentRules(httpTool(HTTP.url))).toEqual({
      ...{ parameters: { type: 'object' }, fixed: ['channel'], path: [] },
    });
  });

  test('leave the parameters of a tool of a server to this server', () => {
    const [tool] = offerTools({ ...MCP, tool_id: '01980f77-b164-725f-bf3b-3bb3f4a5c6ed', name: 'shop' });
    expect(toArgumentRules(tool as OfferedTool)).toEqual({ fixed: ['channel'], path: [] });
  });

  test('have those segments of the path that arguments can make empty or dots', () => {
    const { path } = toArgumentRules(httpTool('https://shop.example.com/of-{a}/{a}/.{b}/{a}{b}/%2{a}/b.'));
    expect(path).toEqual(['{a}', '.{b}', '{a}{b}', '%2{a}']);
    const { path: beforeQuery } = toArgumentRules(
      httpTool('https://shop.example.com/c\\{a}/{b}?q={c}&{d}#{e}'),
    );
    expect(beforeQuery).toEqual(['{a}', '{b}']);
  });
});
