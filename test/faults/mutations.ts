import { Client } from 'pg';
import { MUTATIONS } from './mutation-list';

/** Breaks this process's promises as `MUTATION` says, by other words in the product's own statements. */
const changes = MUTATIONS[process.env.MUTATION ?? '']?.changes ?? [];

type Given = string | { name?: string; text?: string };
type Query = (this: Client, given: Given, ...rest: unknown[]) => unknown;

function mutated(given: Given): Given {
  if (typeof given === 'string' || given.text === undefined) return given;
  const { name = '', text } = given;
  const due = changes.filter(({ statement }) => statement.test(name));
  return due.length === 0 ? given : { ...given, text: due.reduce(change, text) };
}

function change(text: string, { statement, from, to }: (typeof changes)[number]): string {
  if (!text.includes(from)) throw new Error(`The mutation of ${statement} does not fit any more.`);
  return text.replaceAll(from, () => to);
}

if (changes.length > 0) {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = Client.prototype.query as unknown as Query;
  const query: Query = function (given, ...rest) {
    return original.call(this, mutated(given), ...rest);
  };
  Client.prototype.query = query as unknown as Client['query'];
}
