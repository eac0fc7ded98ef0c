import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ScriptedPart = { type: 'text'; text: string } | { type: 'tool'; name: string; arguments: object };

/** A server of chat completions that answers one script after the other, then with "Goodbye." */
export async function startModel(scripts: ScriptedPart[][]) {
  const server = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as { stream?: boolean };
      if (!body.stream) {
        const content = JSON.stringify({ summary: 'Done.', outcome: 'completed', variables: {} });
        const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
        return response.end(JSON.stringify({ choices: [{ message: { content } }], usage }));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (chunk: object) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      const chosen = scripts.shift() ?? [{ type: 'text' as const, text: 'Goodbye.' }];
      let tools = 0;
      for (const part of chosen) {
        const index = part.type === 'tool' ? tools++ : 0;
        const delta =
          part.type === 'text'
            ? { content: part.text }
            : {
                tool_calls: [
                  {
                    ...{ index, id: `call_${index}` },
                    function: { name: part.name, arguments: JSON.stringify(part.arguments) },
                  },
                ],
              };
        send({ choices: [{ delta }] });
      }
      send({ choices: [{ delta: {}, finish_reason: 'stop' }] });
      send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 } });
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
