import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'pg';
import { openBroker } from './broker';
import { Calls } from './calls';
import { type Campaign, dispatch } from './campaigns';
import { Reports } from './reports';

/** The reference: plain http, pg and amqplib. docs/performance.md says what it does and what it leaves out. */
const { DATABASE_URL, RABBITMQ_URL = '', BROKER_PREFIX = '', GROUPED } = process.env;
/** The reference has as many connections as Parley has by default. */
const POOL_SIZE = 10;
const options = GROUPED === 'yes' ? { largest: 500, concurrent: 2 } : { largest: 1, concurrent: POOL_SIZE };

const PATH = /^\/api\/agents\/([^/]+)\/calls$/;

interface CallBody {
  to_number: string;
}

async function start(): Promise<void> {
  const sql = new Pool({ connectionString: DATABASE_URL, max: POOL_SIZE });
  const broker = await openBroker(RABBITMQ_URL, BROKER_PREFIX);
  const calls = new Calls(sql, broker, options);
  await new Reports(sql, broker, options).listen();

  async function startCall(request: IncomingMessage, agentId: string): Promise<[number, object]> {
    const hash = createHash('sha256').update(String(request.headers['x-api-key'])).digest();
    const [workspaceId, body] = await Promise.all([calls.findWorkspace(hash), text(request)]);
    if (workspaceId === undefined) return [401, { success: false }];
    const { to_number: toNumber, ...fields } = JSON.parse(body) as CallBody;
    const id = await calls.start({ workspaceId, agentId, toNumber, request: fields });
    if (id === undefined) return [402, { success: false }];
    return [200, { success: true, data: { conversation_id: id, call_status: 'queued' } }];
  }

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    const [, agentId] = PATH.exec(request.url ?? '') ?? [];
    if (agentId) return startCall(request, agentId);
    if (request.url !== '/campaigns') return [404, { success: false }];
    await dispatch(sql, calls, JSON.parse(await text(request)) as Campaign);
    return [200, { success: true }];
  }

  const respond = (response: ServerResponse, [status, body]: [number, object]) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const server = createServer((request, response) => {
    answer(request).then(
      (answered) => respond(response, answered),
      (error: unknown) => {
        console.error(error);
        respond(response, [500, { success: false }]);
      },
    );
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
}

process.on('disconnect', () => process.exit());
void start();
