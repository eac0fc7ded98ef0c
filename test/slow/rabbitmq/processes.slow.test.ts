import { listChildren } from '../../../launch/process/processes.cjs';
import { JWT_SECRET, TestParley, type TestWorkspace } from '../../support/parley';
import { rabbitmqUrl } from '../../support/rabbitmq';
import { ServerProcess } from '../../support/server-process';
import { until } from '../../support/until';
import { useStarted } from '../../support/use-started';

interface LogLine {
  process?: number;
  pid: number;
}

/** Each request has a connection of its own, so that each process gets some. */
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { ...headers, connection: 'close' } });

describe('A server with PROCESSES=2', () => {
  const parley = useStarted(() => TestParley.start({ RABBITMQ_URL: rabbitmqUrl ?? '' }));
  let workspace: TestWorkspace;
  let server: ServerProcess;

  const start = () =>
    ServerProcess.start({
      DATABASE_URL: parley.database.url,
      RABBITMQ_URL: rabbitmqUrl ?? '',
      BROKER_PREFIX: parley.topology.calls.replace(/\.calls$/, ''),
      JWT_SECRET,
      PROCESSES: '2',
      DRAIN_SECONDS: '1',
      PARLEY_DATA: parley.dataFolder,
    });

  beforeAll(async () => {
    workspace = await parley.workspace();
    server = await start();
  });
  afterAll(() => server.kill());

  const list = async () => (await get(`${server.url}/api/agents`, { 'x-api-key': workspace.apiKey })).status;

  const readCount = async () => {
    const text = await (await get(`${server.url}/metrics`)).text();
    const line = /^http_request_duration_seconds_count\{.*route="\/api\/agents".*\} (\d+)$/m;
    return Number(line.exec(text)?.[1]);
  };

  /** The processes that have logged a request, by their numbers. */
  const readProcesses = () =>
    new Map(
      [...server.output.matchAll(/^\{.*"\/api\/agents".*\}$/gm)].flatMap(([line]) => {
        const { process: number, pid } = JSON.parse(line) as LogLine;
        return number === undefined ? [] : [[number, pid] as const];
      }),
    );

  test('answers on one port, counts the requests of both processes, and starts one again that was killed', async () => {
    let requests = 0;
    const request = async () => {
      expect(await list()).toBe(200);
      requests += 1;
    };
    while (readProcesses().size < 2) await request();
    expect(await readCount()).toBe(requests);

    const [first] = readProcesses().values();
    process.kill(first as number, 'SIGKILL');
    await until(() => server.output.includes('of the server has ended (SIGKILL). Another one is started.'));
    await request();
    expect(await readCount()).toBe(requests);
    await until(async () => {
      await request();
      return readProcesses().size === 3;
    });
    expect(await readCount()).toBe(requests);
  });

  test('goes on when a process is killed before its message is read', async () => {
    // These requests have one connection, so that one process answers them.
    const answer = await fetch(`${server.url}/api/agents`, { headers: { 'x-api-key': workspace.apiKey } });
    await answer.arrayBuffer();
    const id = answer.headers.get('x-request-id') ?? '';
    const findLine = () => server.output.split('\n').find((line) => line.includes(`"${id}"`));
    await until(() => findLine() !== undefined);
    const { pid } = JSON.parse(findLine() ?? '') as LogLine;
    const others = listChildren(server.pid).filter((child) => child !== pid);

    server.pause();
    // The process has sent a message by the time at which it answers that it got no sum.
    expect((await fetch(`${server.url}/metrics`)).status).toBe(500);
    process.kill(pid, 'SIGKILL');
    await until(() => !listChildren(server.pid).includes(pid));
    server.resume();
    await until(() => listChildren(server.pid).length === 2);
    expect(listChildren(server.pid)).toEqual(expect.arrayContaining(others));
    expect(await list()).toBe(200);
  });

  test('ends with 0 after SIGTERM, also while a process is being started again', async () => {
    const restarting = await start();
    const [first, second] = listChildren(restarting.pid);
    process.kill(first as number, 'SIGKILL');
    await until(() => listChildren(restarting.pid).some((child) => ![first, second].includes(child)));
    expect(await restarting.stop()).toBe(0);
  });

  test('ends with 0 after SIGTERM, when all processes have drained', async () => {
    expect(await server.stop()).toBe(0);
    await expect(list()).rejects.toThrow('fetch failed');
  });
});
