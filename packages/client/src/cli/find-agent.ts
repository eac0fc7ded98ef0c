import type { Parley } from '../parley';
import { CommandFailed } from './errors';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @param agent its id or its slug @returns its id @throws CommandFailed */
export async function findAgent(parley: Parley, agent: string): Promise<string> {
  if (UUID.test(agent)) return agent;
  for await (const { slug, id } of parley.code.list({ kind: 'agent' })) if (slug === agent) return id;
  throw new CommandFailed(`The workspace has no agent with the slug ${agent}.`);
}
