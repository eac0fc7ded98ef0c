import { Client } from 'pg';
import { MUTATIONS } from './mutation-list';

/** Breaks this process's promises as `MUTATION` says, by other words in the product's own statements. */
const changes = MUTATIONS[process.env.MUTATION ?? '']?.changes ?? [];

type Given = string | { name?: string; text?: string };
type Query = (this: Client, given: Given, ...rest: unknown[]) => unknown;

function mutated(given: Given): Given {
  if (typeof given === 'string' || given.text === undefined) return given;
  const change = changes.find(({ statement }) => statement.test(given.name ?? ''));
  if (!change) return given;
  const text = given.text.replace(change.from, change.to);
  if (text === given.text) throw new Error(`The mutation does not fit ${given.name} any more.`);
  return { ...given, text };
}

if (changes.length > 0) {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = Client.prototype.query as unknown as Query;
  const query: Query = function (given, ...rest) {
    return original.call(this, mutated(given), ...rest);
  };
  Client.prototype.query = query as unknown as Client['query'];
}
