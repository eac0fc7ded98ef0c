import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Attack } from './attack';
import type { Attacker } from './attacker';
import { toLocal } from './neighbour';

const WAIT_MS = 5_000;
/** The door takes 100 frames a second. */
const TEXTS = 90;
const SECOND_MS = 1_000;
const SILENT = 200;
const SILENT_MS = 1_500;

/** An answer that is a number is a status, and one with a word the code of a close frame. */
const countClose = (attacker: Attacker, code: number) => attacker.count(`closed with ${code}`);

/** Starts a web call. @returns the address at which it is joined; undefined: it was refused, or has none yet */
async function startWebCall(
  attacker: Attacker,
  agentId = attacker.target.agentId,
): Promise<string | undefined> {
  const answer = await attacker.send('POST', `/api/agents/${agentId}/calls`, { call_type: 'webcall' });
  return (answer?.body.data as { join?: { url: string } | null } | undefined)?.join?.url;
}

/** Joins a call in writing. @returns undefined if the door closes the connection */
function join(attacker: Attacker, url: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(toLocal(url, attacker.target.url), { handshakeTimeout: WAIT_MS });
  socket.on('error', () => attacker.count('failed'));
  return new Promise((resolve) => {
    socket.once('open', () => socket.send(JSON.stringify({ event: 'start', mediaFormat: null })));
    socket.once('message', () => resolve(socket));
    socket.once('close', (code) => {
      countClose(attacker, code);
      resolve(undefined);
    });
  });
}

/** Opens a connection that says nothing, and leaves it after a while. */
async function beSilent(attacker: Attacker, path: string, pathOfDoor: string): Promise<void> {
  const url = new URL(`${pathOfDoor}/${path}`, attacker.target.url.replace(/^http/, 'ws'));
  const socket = new WebSocket(url, { headers: { 'x-forwarded-for': '198.51.100.7' } });
  attacker.requests += 1;
  socket.on('error', () => undefined);
  socket.on('unexpected-response', (_, { statusCode }) => attacker.count(`${statusCode}`));
  socket.on('close', (code) => countClose(attacker, code));
  await pause(SILENT_MS);
  socket.terminate();
}

const RUNAWAY = 'agent with the longest texts';
/** The worst content for an expression that looks for the end of a sentence before a variable. */
const SPACES = ' '.repeat(49_000);

/** The agent that is rehearsed. */
const REHEARSED = 'rehearsed';

async function createRehearsed(attacker: Attacker): Promise<void> {
  const answer = await attacker.send('POST', '/api/agents', { type: 'outbound', greeting: 'Hello.' });
  attacker.prepared.set(REHEARSED, String(answer?.body.data._id));
}

/** Starts three runs of 2,000 rehearsals whose persons are silent. @returns the ids of those that were accepted */
async function startSilent(attacker: Attacker, mode: 'text' | 'audio' | 'joined'): Promise<string[]> {
  const path = `/api/agents/${attacker.prepared.get(REHEARSED)}/rehearsal-runs`;
  const rehearsals = Array.from({ length: 100 }, (_, index) => ({
    ...{ name: `silent-${index}`, person: { lines: [{ silence: 60, times: 10 }] } },
    checks: [{ turns: 9 }],
  }));
  const [, ...answers] = await Promise.all([
    pause(SECOND_MS),
    ...Array.from({ length: 3 }, () => attacker.send('POST', path, { rehearsals, mode, repeat: 20 })),
  ]);
  return answers.flatMap((answer) => (answer?.body.data as { run_id?: string } | undefined)?.run_id ?? []);
}

/** The attacks on the voice runtime in the server's process, which has no carrier but its sockets. */
export const VOICE_ATTACKS: Record<string, Attack> = {
  'ninety texts a second in a web call': {
    settings: 'voice',
    background: 'web call',
    // 402: the credits are spent.
    expectedStatuses: [200, 402, 429],
    run: async (attacker) => {
      const url = await startWebCall(attacker);
      const socket = url === undefined ? undefined : await join(attacker, url);
      if (!socket) return pause(SECOND_MS);
      const frame = JSON.stringify({ event: 'text', text: '.'.repeat(4_000) });
      while (socket.readyState === WebSocket.OPEN) {
        for (let sent = 0; sent < TEXTS; sent++) socket.send(frame);
        await pause(SECOND_MS);
      }
    },
  },

  'runs of spoken rehearsals whose persons are silent for ten minutes': {
    settings: 'voice',
    background: 'web call',
    expectedStatuses: [200, 201, 429, 503],
    prepare: createRehearsed,
    run: (attacker) => startSilent(attacker, 'audio').then(() => undefined),
  },

  'runs of 2,000 rehearsals in text that a runtime plays': {
    settings: 'voice',
    background: 'web call',
    expectedStatuses: [200, 201, 429, 503],
    prepare: createRehearsed,
    run: (attacker) => startSilent(attacker, 'text').then(() => undefined),
  },

  'joined rehearsals of silent persons, and runs that are cancelled when they start': {
    settings: 'voice',
    background: 'web call',
    // 409: the run has ended.
    expectedStatuses: [200, 201, 409, 429, 503],
    prepare: createRehearsed,
    run: async (attacker) => {
      const [, ...others] = await startSilent(attacker, 'joined');
      await Promise.all(others.map((id) => attacker.send('POST', `/api/rehearsal-runs/${id}/cancel`, {})));
    },
  },

  'unjoined web calls': {
    settings: 'voice',
    background: 'web call',
    expectedStatuses: [200, 402, 429],
    run: async (attacker) => {
      await Promise.all(Array.from({ length: 20 }, () => startWebCall(attacker)));
    },
  },

  'web calls of an agent whose texts are as long as they may be': {
    settings: 'voice',
    background: 'web call',
    expectedStatuses: [200, 402, 429],
    prepare: async (attacker) => {
      const [prompt, greeting] = [`x${SPACES}{{a}}${SPACES}y`, '{{b}} , '.repeat(250)];
      const answer = await attacker.send('POST', '/api/agents', { type: 'chat', prompt, greeting });
      attacker.prepared.set(RUNAWAY, String(answer?.body.data._id));
    },
    run: async (attacker) => {
      const joins = Array.from({ length: 3 }, async () => {
        const url = await startWebCall(attacker, attacker.prepared.get(RUNAWAY));
        const socket = url === undefined ? undefined : await join(attacker, url);
        socket?.terminate();
      });
      await Promise.all([...joins, pause(SECOND_MS)]);
    },
  },

  'silent connections to the door of calls and of a carrier': {
    settings: 'voice',
    background: 'web call',
    expectedStatuses: [403, 404, 429, 503],
    run: async (attacker) => {
      const doors = ['/voice', '/voice/telnyx/media'];
      await Promise.all(
        Array.from({ length: SILENT }, (_, index) =>
          beSilent(attacker, `${randomUUID()}/${randomUUID()}`, doors[index % 2] as string),
        ),
      );
    },
  },
};
