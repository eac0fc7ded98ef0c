import { writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { type KillPoint, LOST_CONFIRM, type Order } from './orders';
import { watchPublishes } from './publish-seam';
import { type SentStatement, watchStatements } from './statement-seam';

/**
 * Lets a server die at an exact point of its work, without a word of it in the product: imported before the product,
 * this wraps the libraries that it stands on.
 */
let killAt: KillPoint | undefined;
let passage = 0;
let losesConfirms = false;

/** The calls that the sweeper has taken for another publish. */
const swept = new Set<string>();
/** The connections that are in the middle of a transaction of several statements. */
const inTransaction = new WeakSet<object>();
/** Those of them whose transaction is a campaign's batch. */
const inBatch = new WeakSet<object>();

process.on('message', (order: Order) => {
  if (order === 'start') return;
  if ('killAt' in order) ({ killAt, passage } = order);
  else losesConfirms = order.loseConfirms;
});

function pass(point: KillPoint): void {
  if (point !== killAt) return;
  passage -= 1;
  if (passage > 0) return;
  writeSync(2, `Killed at ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

const accepts = ({ name }: SentStatement) => name === 'start-call' || name === 'start-idempotent-call';

/** What a runtime says of a call's end. */
const reports = ({ name }: SentStatement) => name === 'end-call' || name === 'fail-call';

watchStatements({
  sending(statement, connection) {
    if (reports(statement)) pass('before-report');
    if (accepts(statement) && !inTransaction.has(connection)) pass('before-transaction');
  },
  // Postgres has it, and works on it while we die.
  sent({ name, text }, connection) {
    if (name === 'cancel-unconfirmed-call') pass('during-fenced-cancel');
    if (text === 'START TRANSACTION') inTransaction.add(connection);
    if (name === 'lock-campaign') inBatch.add(connection);
    if (inBatch.has(connection)) pass('campaign-batch');
    if (text === 'COMMIT' || text === 'ROLLBACK') {
      inTransaction.delete(connection);
      inBatch.delete(connection);
    }
  },
  done(statement, rows, connection) {
    if (accepts(statement) && !inTransaction.has(connection)) pass('after-commit');
    const { name } = statement;
    if (name !== 'take-undispatched-calls' || rows.length === 0) return;
    for (const { id } of rows as { id: string }[]) swept.add(id);
    pass('sweeper-before-publish');
  },
  copied(text) {
    if (text.startsWith('COPY recipient_stage')) pass('csv-load');
  },
});

watchPublishes({
  written({ type, messageId }) {
    if (type !== 'call.start.v1') return;
    pass('after-socket-write');
    if (swept.has(messageId)) pass('sweeper-after-publish');
  },
  confirmed({ type }) {
    if (type !== 'call.start.v1') return true;
    pass('after-confirm');
    if (losesConfirms) process.send?.(LOST_CONFIRM);
    return !losesConfirms;
  },
});

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
const end = ServerResponse.prototype.end;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const { method, url = '' } = this.req;
  if (method === 'POST' && url.endsWith('/calls') && this.statusCode === 200) pass('before-reply');
  return Reflect.apply(end, this, args) as ServerResponse;
};
