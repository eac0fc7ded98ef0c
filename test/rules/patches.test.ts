import { Parser } from 'csv-parse';
import express from 'express';
import { convertToHtml } from 'mammoth';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Broker } from 'smqp';
import { createDocx } from '../support/documents';

const ROOT = join(__dirname, '..', '..');

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string };
};

/** The oldest major version of Node.js that the product supports. */
const OLDEST_NODE = Number(/\d+/.exec(engines.node)?.[0]);

const NODE = Number(process.versions.node.split('.')[0]);

/** Patches of Node.js. `fixedIn` is the first version without the defect, and `defect` a program that prints true for it. */
const NODE_PATCHES = [
  {
    name: 'replaceAsyncResourceBind',
    file: 'src/app/async-resource-bind.ts',
    fixedIn: 25,
    defect: "console.log('asyncResource' in require('async_hooks').AsyncResource.bind(() => 1))",
  },
  {
    name: 'RequestStorage',
    file: 'src/platform/http/request-context.ts',
    fixedIn: 24,
    // The hooks that slow promises down keep the value of a storage in the resource of each promise.
    defect: `const { AsyncLocalStorage, executionAsyncResource } = require('async_hooks');
      new AsyncLocalStorage().run('value', () => {
        const resource = executionAsyncResource();
        console.log(Object.getOwnPropertySymbols(resource).some((symbol) => resource[symbol] === 'value'));
      });`,
  },
  {
    name: '--experimental-permission',
    file: 'src/platform/background/child-permissions.ts',
    fixedIn: 22,
    defect: "console.log(!process.allowedNodeEnvironmentFlags.has('--permission'))",
  },
];

/** Fails with the patch to remove, so that an upgrade that makes it unnecessary is noticed. */
function assertNeeded(isNeeded: boolean, patch: string, file: string): void {
  if (!isNeeded) throw new Error(`Remove the patch ${patch} from ${file}: it is no longer needed`);
}

describe('A patch of Node.js', () => {
  test.each(NODE_PATCHES)('is needed by a version that the product supports: $name', (patch) => {
    assertNeeded(OLDEST_NODE < patch.fixedIn, patch.name, patch.file);
    if (NODE > OLDEST_NODE) return;
    const printed = execFileSync(process.execPath, ['-e', patch.defect], { encoding: 'utf8' });
    assertNeeded(printed.trim() === 'true', patch.name, patch.file);
  });

  test.each(NODE_PATCHES)('has a comment with the version that makes it unnecessary: $name', (patch) => {
    const code = readFileSync(join(ROOT, patch.file), 'utf8').replaceAll(/\s+(\* )?/g, ' ');
    expect(code).toContain(patch.name);
    expect(code).toContain(`Needed before Node.js ${patch.fixedIn}`);
  });
});

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends a request on a connection, and waits for the answer. */
async function request(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

describe('A patch of a library or of an HTTP server is needed, because', () => {
  test('Express sets the prototype of each request (PreparedExpressAdapter)', async () => {
    const app = express();
    app.use((received, response) => {
      response.send(String(Object.getPrototypeOf(received) === IncomingMessage.prototype));
    });
    const server = createServer(app as never);
    const socket = connect(await listen(server), '127.0.0.1');

    const isKept = (await request(socket)).endsWith('true');
    socket.destroy();
    server.close();
    assertNeeded(!isKept, 'PreparedExpressAdapter', 'src/platform/http/express-adapter.ts');
  });

  test('a server of HTTP closes its idle connections with itself (GracefulClose)', async () => {
    const server = createServer((_, response) => response.end());
    const socket = connect(await listen(server), '127.0.0.1');
    await request(socket);
    const closed = once(socket, 'close').then(() => 'closed');

    server.close();
    // A connection that stays open is answered.
    const end = await Promise.race([closed, request(socket).catch(() => closed)]);
    socket.destroy();
    assertNeeded(end === 'closed', 'NetServer.prototype.close', 'src/platform/http/graceful-close.ts');
  });

  test('the close of a server of TCP keeps them (GracefulClose)', async () => {
    const server = createServer((_, response) => response.end());
    const socket = connect(await listen(server), '127.0.0.1');
    await request(socket);

    NetServer.prototype.close.call(server);
    expect(await request(socket)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test.each([
    ['ignores simple fields', '<w:fldSimple><w:r><w:t>text</w:t></w:r></w:fldSimple>', ''],
    ['reads hidden text', '<w:r><w:rPr><w:vanish/></w:rPr><w:t>text</w:t></w:r>', '<p>text</p>'],
  ])('mammoth %s (toShownXml)', async (_, xml, html) => {
    const { value } = await convertToHtml({ buffer: createDocx([`<w:p>${xml}</w:p>`]) });
    assertNeeded(value === html, 'toShownXml', 'src/platform/documents/formats/docx-part.ts');
  });

  test('smqp takes an undefined limit of a queue for 0 (InProcessBroker)', () => {
    const queue = new Broker().assertQueue('queue', { maxLength: undefined });
    queue.queueMessage({}, 'body');
    assertNeeded(queue.messageCount === 0, 'maxLength &&', 'src/platform/messaging/in-process.broker.ts');
  });

  test('smqp keeps expired messages until a consumer is added (InProcessBroker)', () => {
    const queue = new Broker().assertQueue('queue', { messageTtl: -1 });
    queue.queueMessage({}, 'body');
    assertNeeded(queue.messageCount === 1, 'evictExpired', 'src/platform/messaging/in-process.broker.ts');
  });

  test('csv-parse makes an error of each row of another length, unless it counts no rows (CsvRows)', () => {
    const countErrors = (isCounting: boolean) => {
      const parser = new Parser({ relax_column_count: true });
      const { info } = parser as { info: { records: number; invalid_field_length: number } };
      parser.push = () => {
        if (!isCounting) info.records = 0;
        return true;
      };
      parser.end('a,b\n1\n2\n');
      return info.invalid_field_length;
    };

    expect(countErrors(false)).toBe(0);
    assertNeeded(countErrors(true) === 2, 'info.records = 0', 'src/platform/csv/csv-rows.ts');
  });
});
