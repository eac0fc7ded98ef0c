import { createDatabase } from '../support/database';
import { ServerProcess } from '../support/server-process';
import { TraceReceiver } from '../support/trace-receiver';
import { until } from '../support/until';

const SETTINGS = {
  JWT_SECRET: 'a secret of thirty-two bytes or more',
  ALLOW_PRIVATE_ADDRESSES: 'true',
  OTEL_BSP_SCHEDULE_DELAY: '100',
};

test('A receiver that fails or is away costs one line of the log a minute, and no request', async () => {
  const receiver = await TraceReceiver.start();
  receiver.status = 500;
  const { url: DATABASE_URL } = await createDatabase();
  const server = await ServerProcess.start({
    ...SETTINGS,
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
  });
  try {
    const api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    const use = async () => expect((await api.get('/api/workspace')).status).toBe(200);

    await until(async () => {
      await use();
      return receiver.headers.length >= 3;
    });
    await receiver.stop();
    for (let sent = 0; sent < 20; sent += 1) await use();

    const lines = server.output.split('\n').filter((line) => line.includes('Spans did not reach'));
    expect(lines).toHaveLength(1);
  } finally {
    await server.stop();
  }
});

test('A receiver that takes no answer to an end costs spans, which are counted, and neither memory nor a request', async () => {
  const QUEUE = 50;
  const receiver = await TraceReceiver.start();
  receiver.isHanging = true;
  const { url: DATABASE_URL } = await createDatabase();
  const server = await ServerProcess.start({
    ...SETTINGS,
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_BSP_MAX_QUEUE_SIZE: String(QUEUE),
  });
  try {
    const api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    const use = async () => expect((await api.get('/api/workspace')).status).toBe(200);
    const countLost = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      const lost = metrics.matchAll(/^trace_spans_lost_total\{reason="(\w+)"\} (\d+)$/gm);
      return Object.fromEntries([...lost].map(([, reason, spans]) => [reason as string, Number(spans)]));
    };

    const REQUESTS = 400;
    for (let sent = 0; sent < REQUESTS; sent += 20) await Promise.all(Array.from({ length: 20 }, use));
    await until(async () => (await countLost()).not_sent);

    const { queue_full = 0, not_sent = 0 } = await countLost();
    expect(queue_full).toBeGreaterThan(0);
    // Each request has one span at least. The server keeps a queue of them, and the batch that it is sending.
    expect(queue_full + not_sent).toBeGreaterThanOrEqual(REQUESTS - 2 * QUEUE);
    const lines = server.output.split('\n').filter((line) => line.includes('Spans did not reach'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"lostSpans":{');

    receiver.isHanging = false;
    await until(async () => {
      await use();
      return receiver.spans.length > 0;
    });
  } finally {
    await server.stop();
    await receiver.stop();
  }
});
