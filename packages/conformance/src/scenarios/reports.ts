import { Skipped } from '../errors';
import { fieldText, type Json, MAX_MESSAGE_BYTES } from '../messages';
import { must, type Scenario } from '../scenario';

interface Turn {
  sequence: Json;
}

/** The capacity of the worker that sends the hello. */
const CAPACITY = 3;

const shown = (value: Json | undefined) => JSON.stringify(value) ?? 'absent';

export const reportScenarios: Scenario[] = [
  {
    id: 'transcript.sequences',
    suite: 'reports',
    level: 'MUST',
    rule: 'Each turn of a transcript has a sequence of its own, and transcript_turns says how many there are.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 3' });
      const end = await stage.end(id, 15);
      await stage.pause(1);
      const messages = server.findEvents(id, 'call.transcript.v1');
      if (messages.length === 0) throw new Skipped('The runtime sends no transcripts.');
      const turns = messages.flatMap(({ body }) => (body?.['turns'] ?? []) as unknown as Turn[]);
      const sequences = turns.map(({ sequence }) => sequence);
      must(sequences.every(Number.isSafeInteger), 'A turn has no whole number as its sequence.');
      must(new Set(sequences).size === sequences.length, 'Two turns have the same sequence.');
      const said = end.body?.['transcript_turns'];
      must(
        said === undefined || said === sequences.length,
        `transcript_turns is ${fieldText(end.body, 'transcript_turns')}, but ${sequences.length} turns were sent.`,
      );
    },
  },
  {
    id: 'transcript.small-messages',
    suite: 'reports',
    level: 'MUST',
    rule: 'A message from a worker has at most 65,536 bytes.',
    async run(stage) {
      const { server } = stage;
      const id = server.offer({ callee: 'answers 2', greeting: 'ü'.repeat(60_000) });
      await stage.end(id, 20);
      await stage.pause(0.5);
      const large = server.messages.find(
        ({ direction, bytes }) => direction === 'from-runtime' && bytes > MAX_MESSAGE_BYTES,
      );
      must(!large, `${large?.type} has ${large?.bytes} bytes.`);
    },
  },
  {
    id: 'hello.every-15-s',
    suite: 'reports',
    level: 'SHOULD',
    rule: 'A worker says worker.hello.v1 every 15 seconds, also while it is idle.',
    capacity: CAPACITY,
    async run(stage) {
      const hellos = () => stage.server.messages.filter(({ type }) => type === 'worker.hello.v1');
      await stage.until(() => hellos().length > 0, 17, 'No worker.hello.v1 arrived');
      const before = hellos().length;
      await stage.until(() => hellos().length > before, 17, 'No further worker.hello.v1 arrived');
      for (const { body, routingKey } of hellos()) {
        must(routingKey === 'worker.hello', `worker.hello.v1 has the routing key ${routingKey}.`);
        for (const [field, maxLength] of Object.entries({ worker_id: 200, name: 100, version: 100 })) {
          const value = body?.[field];
          const isText = typeof value === 'string' && value.length <= maxLength;
          must(
            isText,
            `The ${field} of worker.hello.v1 is ${shown(value)}, not a text of ${maxLength} characters.`,
          );
        }
        must(body?.['worker_id'] !== '', 'The worker_id of worker.hello.v1 is empty.');
        const { capacity, calls } = body ?? {};
        must(
          capacity === CAPACITY,
          `The capacity of worker.hello.v1 is ${shown(capacity)}; PARLEY_CAPACITY is ${CAPACITY}.`,
        );
        must(calls === 0, `The calls of worker.hello.v1 are ${shown(calls)}; the worker has none.`);
      }
    },
  },
];
