// Measures a worker process with 1,000 calls at once: with the library, and written by hand on amqplib or pika.
// use: RABBITMQ_URL=amqp://… node packages/worker/bench/main.mjs [CALLS] [PYTHON], where PYTHON is a command such as python3
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StandInServer } from './stand-in-server.mjs';

const calls = Number(process.argv[2] ?? 1_000);
const python = process.argv[3];
const [byHand, withLibrary] = python
  ? ['../../worker-python/bench/by_hand.py', '../../worker-python/bench/with_library.py']
  : ['./by-hand.mjs', './with-library.mjs'];
const url = process.env.RABBITMQ_URL ?? 'amqp://127.0.0.1';
const MB = 1_048_576;

async function measure(program) {
  const prefix = `bench-${process.pid}-${Date.now()}`;
  const server = await StandInServer.start(url, prefix);
  const path = (name) => fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(python ?? process.execPath, [path(program)], {
    env: {
      ...process.env,
      RABBITMQ_URL: url,
      BROKER_PREFIX: prefix,
      PARLEY_CAPACITY: `${calls}`,
      PYTHONPATH: path('../../worker-python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const began = Date.now();
  server.offer(calls);
  await server.allEnded(calls);
  const seconds = (Date.now() - began) / 1_000;
  const answered = once(child, 'message');
  child.send('usage');
  const [{ rss, cpuSeconds, idleRss, idleCpuSeconds }] = await answered;
  child.kill();
  await once(child, 'exit');
  const { heartbeats, turns, mostAtOnce } = server;
  await server.stop();
  return {
    program,
    'calls at once': mostAtOnce,
    seconds: Math.round(seconds * 10) / 10,
    'idle MB': Math.round(idleRss / MB),
    'most MB': Math.round(rss / MB),
    'CPU s': Math.round((cpuSeconds - idleCpuSeconds) * 100) / 100,
    turns,
    heartbeats,
  };
}

const results = [];
for (const program of [byHand, withLibrary, byHand, withLibrary]) {
  results.push(await measure(program));
}
console.table(results);
