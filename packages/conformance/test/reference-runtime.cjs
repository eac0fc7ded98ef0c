// A runtime that keeps the contract with plain amqplib, for the tests of the kit. The environment variable BREAKS names a
// rule that it breaks: the id of a scenario, or one and a part of it.
const { randomUUID } = require('node:crypto');
const { createInterface } = require('node:readline');
const { setTimeout: pause } = require('node:timers/promises');
const amqp = require('amqplib');

const PREFIX = process.env.BROKER_PREFIX;
const QUEUE = process.env.PARLEY_QUEUE;
const CAPACITY = Number(process.env.PARLEY_CAPACITY ?? 1);
const DRAIN_MS = Number(process.env.PARLEY_DRAIN_SECONDS ?? 5) * 1_000;
const WORKER_ID = `reference ${randomUUID()}`;
const breaks = (rule) => process.env.BREAKS === rule;

const KNOWN_FIELDS = ['later', 'news'];
const calls = new Map();
const unconfirmed = new Map();
const answers = new Map();
let broker;
let isStopping = false;
let consumerTag;
let connections = 0;

const now = () => new Date().toISOString();

function send(id, { key, message, options }) {
  if (!broker) return;
  broker.events.publish(`${PREFIX}.events`, key, message, options, (error) => {
    if (!error) unconfirmed.delete(id);
  });
}

function report(call, type, fields = {}) {
  const body = { conversation_id: call.id, token: call.token, ...fields };
  const key =
    breaks('events.type-and-routing-key') && type === 'call.ended.v1' ? 'call.over' : type.replace('.v1', '');
  const options = { type, contentType: 'application/json', persistent: !breaks('events.persistent') };
  const entry = { key, message: Buffer.from(JSON.stringify(body)), options };
  const id = randomUUID();
  if (type !== 'call.heartbeat.v1' && !breaks('events.resent-until-confirmed')) unconfirmed.set(id, entry);
  send(id, entry);
}

function hello() {
  if (!broker || breaks('hello.every-15-s')) return;
  const body = {
    worker_id: WORKER_ID,
    name: 'reference',
    version: '1',
    capacity: breaks('hello.every-15-s/capacity') ? 1 : CAPACITY,
    calls: calls.size,
  };
  const options = { type: 'worker.hello.v1', contentType: 'application/json' };
  broker.events.publish(`${PREFIX}.events`, 'worker.hello', Buffer.from(JSON.stringify(body)), options);
}

async function ask(type, body, until) {
  let claimId = breaks('claim.new-id-per-delivery') ? body.conversation_id : randomUUID();
  while (Date.now() < until || breaks('claim.stops-at-expiry')) {
    if (breaks('claim.same-id-on-silence')) claimId = randomUUID();
    const correlationId = randomUUID();
    const message = Buffer.from(JSON.stringify({ claim_id: claimId, worker_id: WORKER_ID, ...body }));
    const options = {
      type,
      contentType: 'application/json',
      correlationId,
      replyTo: 'amq.rabbitmq.reply-to',
      expiration: '4000',
    };
    broker?.claims.publish(`${PREFIX}.events`, 'claim', message, options);
    for (let waited = 0; waited < 4_000 && !answers.has(correlationId); waited += 20) await pause(20);
    const answer = answers.get(correlationId);
    if (answer) return answer;
  }
  return undefined;
}

async function take(delivery) {
  const channel = broker.calls;
  const settle = (how) => {
    try {
      how();
    } catch {
      // The channel is closed: RabbitMQ delivers the message again.
    }
  };
  let start;
  try {
    start = JSON.parse(delivery.content.toString());
  } catch {
    settle(() => channel.reject(delivery, breaks('message.unreadable')));
    return;
  }
  if (breaks('message.unknown-fields') && KNOWN_FIELDS.some((field) => field in start)) {
    settle(() => channel.reject(delivery, false));
    return;
  }
  if (breaks('ack.after-the-answer')) settle(() => channel.ack(delivery));
  if (breaks('claim.before-anything'))
    report({ id: start.conversation_id }, 'call.connected.v1', { occurred_at: now() });
  const answer = await ask(
    'call.claim.v1',
    { conversation_id: start.conversation_id },
    Date.parse(start.expires_at),
  );
  const isHeldUntilAnswered = breaks('ack.not-held-for-the-call/unanswered');
  const isHeld = breaks('ack.not-held-for-the-call') || isHeldUntilAnswered;
  let isAcknowledged = breaks('ack.after-the-answer');
  const acknowledge = () => {
    if (!isAcknowledged) settle(() => channel.ack(delivery));
    isAcknowledged = true;
  };
  if (!isHeld) acknowledge();
  if (answer?.token) await conduct(start, answer, isHeldUntilAnswered ? acknowledge : undefined);
  else if (breaks('claim.refused-is-left-alone'))
    await conduct(start, { ...answer, token: randomUUID(), heartbeat_seconds: 1 });
  else if (breaks('message.late') && Date.parse(start.expires_at) < Date.now())
    await conduct(start, {
      conversation_id: start.conversation_id,
      token: randomUUID(),
      heartbeat_seconds: 1,
    });
  acknowledge();
}

async function conduct(start, claimed, connected = () => undefined) {
  const call = { id: claimed.conversation_id, token: claimed.token, turns: 0 };
  if (calls.has(call.id)) return;
  calls.set(call.id, call);
  const interrupted = new Promise((resolve) => (call.interrupt = resolve));
  const wait = async (seconds) => Promise.race([pause(seconds * 1_000), interrupted]);
  const seconds = breaks('heartbeat.in-time/interval') ? 1 : claimed.heartbeat_seconds;
  const interval = seconds * (breaks('heartbeat.in-time') ? 3_000 : 1_000);
  const beat = () => {
    if (breaks('broker.connection-cut/heartbeats') && connections > 1) return;
    report(call, 'call.heartbeat.v1', { occurred_at: now() });
  };
  let heartbeats = breaks('heartbeat.from-the-claim') ? undefined : setInterval(beat, interval);
  const [what, duration] = start.dynamic_variables.callee.split(' ');
  const fail = (reason) => {
    const type = breaks('failed.when-not-answered') ? 'call.ended.v1' : 'call.failed.v1';
    report(call, type, {
      occurred_at: now(),
      connected_at: now(),
      disconnect_reason: reason,
      disconnected_by: 'system',
    });
  };
  call.fail = fail;
  const rung = await wait(what === 'no_answer' ? 5 : 1);
  if (call.isOver) {
    // The call was cut.
  } else if (rung) {
    fail(rung.disconnect_reason);
  } else if (what === 'busy') {
    fail('dial_busy');
  } else if (what === 'no_answer') {
    fail('dial_no_answer');
  } else {
    call.connectedAt = now();
    connected();
    if (!breaks('events.in-order')) report(call, 'call.connected.v1', { occurred_at: call.connectedAt });
    heartbeats ??= setInterval(beat, interval);
    turn(call, start.greeting);
    turn(call, 'Goodbye.');
    await Promise.race([useTool(call, claimed.api, start.dynamic_variables.callee), interrupted]);
    const why = await wait(Number(duration));
    end(call, why ?? { disconnect_reason: 'user_hangup', disconnected_by: 'user' });
    if (breaks('events.in-order')) report(call, 'call.connected.v1', { occurred_at: call.connectedAt });
  }
  clearInterval(heartbeats);
  calls.delete(call.id);
}

/** Asks for the tool that the variable `callee` names, until there is an answer. */
async function useTool(call, api, callee) {
  const [, name, json, interrupts] = / asks (\S+) (\{.*\})( interrupts)?$/.exec(callee) ?? [];
  if (name === undefined) return;
  let key = randomUUID();
  const ask = async () => {
    const url = `${api.url}/api/calls/${call.id}/tools/${name}`;
    const token = breaks('tools.asked-with-the-call') ? call.token : api.token;
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
    const body = JSON.stringify({ arguments: JSON.parse(json) });
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    if (response) return (await response.json()).data;
    await pause(300);
    if (breaks('tools.same-key-on-silence')) key = randomUUID();
    return ask();
  };
  const asked = ask();
  if (interrupts) turn(call, 'Wait a moment.');
  if (interrupts && breaks('tools.not-repeated-on-interrupt')) {
    key = randomUUID();
    await ask();
  }
  const { result } = await asked;
  const tool = { name, arguments: JSON.parse(json), result };
  turn(call, '', breaks('tools.result-in-next-turn') ? undefined : tool);
}

function turn(call, text, tool) {
  call.turns += 1;
  const sequence = breaks('transcript.sequences') ? 1 : call.turns;
  const shown = breaks('transcript.small-messages') ? text : text.slice(0, 8_000);
  report(call, 'call.transcript.v1', {
    turns: [{ sequence, speaker: tool ? 'tool' : 'agent', text: shown, started_at: now(), tool }],
  });
}

function end(call, ending) {
  if (call.isOver) return;
  call.isOver = true;
  if (!call.connectedAt) return call.fail(ending.disconnect_reason);
  if (breaks('ended.reason-is-known')) ending = { ...ending, disconnect_reason: 'bye' };
  report(call, 'call.ended.v1', {
    occurred_at: now(),
    connected_at: call.connectedAt,
    transcript_turns: call.turns,
    ...ending,
  });
}

function command(message) {
  if (message.properties.type !== 'call.hangup.v1' || breaks('hangup.obeyed')) return;
  const { conversation_id: id } = JSON.parse(message.content.toString());
  const ending = { disconnect_reason: 'cancelled', disconnected_by: 'system' };
  for (const call of calls.values())
    if (
      (call.id === id || breaks('hangup.of-others-ignored')) &&
      (call.connectedAt || !breaks('hangup.obeyed/ringing'))
    )
      call.interrupt(ending);
}

async function connect() {
  const connection = await amqp.connect(process.env.RABBITMQ_URL);
  connections += 1;
  connection.on('error', () => undefined);
  const open = async (kind) => {
    const channel = await (kind === 'confirm'
      ? connection.createConfirmChannel()
      : connection.createChannel());
    channel.on('error', () => undefined);
    return channel;
  };
  broker = { calls: await open(), claims: await open(), events: await open('confirm') };
  const isCurrent = broker;
  connection.once('close', () => {
    if (broker === isCurrent) broker = undefined;
    if (!isStopping || calls.size > 0) void reconnect();
  });
  const keep = (message) =>
    answers.set(message.properties.correlationId, JSON.parse(message.content.toString()));
  await broker.claims.consume('amq.rabbitmq.reply-to', keep, { noAck: true });
  const { queue } = await broker.claims.assertQueue('', { exclusive: true });
  await broker.claims.bindQueue(queue, `${PREFIX}.commands`, WORKER_ID);
  await broker.claims.consume(queue, command, { noAck: true });
  if (breaks('topology.declares-nothing')) {
    const dead = { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': `${PREFIX}.calls.dead` };
    const options = { 'x-queue-type': 'quorum', 'x-delivery-limit': 20, ...dead };
    await broker.calls.assertQueue(QUEUE, { durable: true, arguments: options });
  }
  for (const [id, entry] of unconfirmed) send(id, entry);
  hello();
  if (!isStopping) await consume();
}

/** Takes one delivery at a time, while there is a free place. */
async function consume() {
  if (!breaks('capacity.kept')) await broker.calls.prefetch(1);
  const takeWhenFree = async (delivery) => {
    if (!delivery) return;
    // The delivery waits unacknowledged, and unclaimed, until there is a place.
    while (!breaks('capacity.kept') && calls.size >= CAPACITY && !isStopping) await pause(20);
    if (isStopping) return broker?.calls.nack(delivery);
    await take(delivery);
  };
  ({ consumerTag } = await broker.calls.consume(QUEUE, (delivery) => void takeWhenFree(delivery)));
}

async function reconnect() {
  for (;;) {
    try {
      await connect();
      return;
    } catch {
      await pause(300);
    }
  }
}

async function stop() {
  if (breaks('drain.on-sigterm')) process.exit(0);
  isStopping = true;
  await broker?.calls.cancel(consumerTag);
  const deadline = Date.now() + DRAIN_MS;
  while (calls.size > 0 && Date.now() < deadline) await pause(20);
  const [reason, party] = breaks('drain.on-sigterm/reason') ? ['user_hangup', 'user'] : ['error', 'system'];
  for (const call of calls.values()) end(call, { disconnect_reason: reason, disconnected_by: party });
  await broker?.events.waitForConfirms();
  process.exit(0);
}

async function incoming(toNumber, fromNumber, callee) {
  const request = { to_number: toNumber, from_number: fromNumber };
  if (breaks('incoming.asks-first'))
    report({ id: randomUUID() }, 'call.connected.v1', { occurred_at: now() });
  const answer = await ask('call.incoming.v1', request, Date.now() + 30_000);
  if (answer?.token) await conduct({ ...answer.call, dynamic_variables: { callee } }, answer);
  else if (breaks('incoming.refused-is-not-answered'))
    await conduct(
      { dynamic_variables: { callee }, greeting: '' },
      { conversation_id: randomUUID(), token: randomUUID(), heartbeat_seconds: 1 },
    );
}

process.on('SIGTERM', () => void stop());
setInterval(hello, 15_000);
createInterface({ input: process.stdin }).on('line', (line) => {
  const [verb, toNumber, fromNumber, ...callee] = line.split(' ');
  if (verb === 'incoming') void incoming(toNumber, fromNumber, callee.join(' '));
});
void reconnect();
