import { createInterface } from 'node:readline';
import { type Call, createWorker } from '@parley/worker';
import type { Person } from '../stand-ins/phone/handset';
import { type CarrierName, CarrierTalk } from './carriers';
import { withMembers } from './voice-server';

/** A program for the kit of the runtime contract: the voice runtime with the stand-in of a carrier, named by its argument. */

const RINGING_MS = 1_000;
const UNANSWERED_MS = 5_000;

function readPerson(callee: string): Person {
  const [what, seconds] = callee.split(' ');
  if (what === 'busy') return { phone: 'busy', ringMs: RINGING_MS };
  if (what === 'no_answer') return { phone: 'no-answer', ringMs: UNANSWERED_MS };
  return { ringMs: RINGING_MS, hangsUpAfterMs: Number(seconds) * 1_000 };
}

async function main(name: CarrierName): Promise<void> {
  const talk = await CarrierTalk.start(name);
  const { standIn, carrier } = talk;
  let numbers = 0;
  const worker = createWorker({ handleSignals: true }, (call: Call) => {
    const { start } = call;
    if (start.direction === 'inbound') return talk.handler(call);
    // Each call has a person of its own.
    const to_number = `+1555${3_000_000 + numbers++}`;
    standIn.expect(to_number, readPerson(start.dynamic_variables.callee ?? 'answers 1'));
    return talk.handler(withMembers(call, { start: { ...start, to_number, from_number: '' } }));
  });
  carrier.takeCalls((call, options) => worker.incoming(call, options));
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [command, to = '', from = '', ...callee] = line.split(' ');
    if (command !== 'incoming') return;
    standIn
      .ringIn({ to, from, person: readPerson(callee.join(' ')) })
      .catch((error: unknown) => console.error(error));
  });
  await worker.run();
  lines.close();
  process.stdin.destroy();
  await talk.close();
}

main(process.argv[2] as CarrierName).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
