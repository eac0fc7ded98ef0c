import { writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { type KillPoint, DROPPED_CONFIRM, type Order } from './orders';
import { watchPublishes } from './publish-seam';
import { type SentStatement, watchStatements } from './statement-seam';

/**
 * Kills a server at an exact point of its work, without a hook in the product: this is imported before the product and
 * wraps the libraries that the product uses.
 */
let killAt: KillPoint | undefined;
let occurrence = 0;
let dropsConfirms = false;

/** The calls that the sweeper publishes again. */
const swept = new Set<string>();
/** The connections with an open transaction of several statements. */
const inTransaction = new WeakSet<object>();
/** The connections whose transaction is a campaign's batch. */
const inBatch = new WeakSet<object>();
/** The connections whose transaction restores a version of an agent. */
const inRestore = new WeakSet<object>();

process.on('message', (order: Order) => {
  if (order === 'start') return;
  if ('killAt' in order) ({ killAt, occurrence } = order);
  else dropsConfirms = order.dropConfirms;
});

function reach(point: KillPoint): void {
  if (point !== killAt) return;
  occurrence -= 1;
  if (occurrence > 0) return;
  writeSync(2, `Killed at ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

const acceptsCall = ({ name }: SentStatement) => name === 'accept-unlocked-calls' || name === 'accept-calls';

/** A statement that found the workspaces of its calls locked has committed nothing. */
const hasAccepted = (rows: object[]) =>
  (rows as { refusal: string | null }[]).some(({ refusal }) => refusal === null);

/** Whether a statement accepts a call that reached a runtime. */
const acceptsIncoming = ({ name }: SentStatement) => /^accept-(unlocked-)?incoming-calls$/.test(name);

/** Whether a statement ends a call with this field in its row. */
const ends = ({ name, values }: SentStatement, field: string) =>
  /^settle-(unlocked-)?calls$/.test(name) && String(values[0]).includes(field);

/** Whether a statement stores a runtime's report of the end of a call. */
const storesReport = (statement: SentStatement) => ends(statement, '"guard":"token"');

const recordsInvocation = ({ name }: SentStatement, rows: object[]) =>
  name === 'record-tool-invocation' &&
  (rows as { leaseUntil: Date | null }[]).some(({ leaseUntil }) => leaseUntil);

watchStatements({
  sending(statement, connection) {
    if (storesReport(statement)) reach('before-report');
    if (acceptsCall(statement) && !inTransaction.has(connection)) reach('before-transaction');
    if (statement.name === 'settle-tool-invocation') reach('tool-answered');
  },
  // Postgres has received the statement and executes it while the server is killed.
  sent(statement, connection) {
    const { name, text } = statement;
    if (ends(statement, '"reason":"dispatch_failed"')) reach('during-fenced-cancel');
    if (name === 'add-transcript-turns') reach('transcript-batch');
    if (text === 'START TRANSACTION') inTransaction.add(connection);
    if (name === 'lock-campaign') inBatch.add(connection);
    if (inBatch.has(connection)) reach('campaign-batch');
    if (name === 'find-agent-snapshot' && inTransaction.has(connection)) inRestore.add(connection);
    if (inRestore.has(connection)) reach('version-restore');
    if (text === 'COMMIT' || text === 'ROLLBACK') {
      inTransaction.delete(connection);
      inBatch.delete(connection);
      inRestore.delete(connection);
    }
  },
  done(statement, rows, connection) {
    if (acceptsCall(statement) && hasAccepted(rows) && !inTransaction.has(connection)) reach('after-commit');
    if (acceptsIncoming(statement) && hasAccepted(rows)) reach('incoming-after-commit');
    if (recordsInvocation(statement, rows)) reach('tool-recorded');
    const { name } = statement;
    if (name !== 'take-undispatched-calls' || rows.length === 0) return;
    for (const { id } of rows as { id: string }[]) swept.add(id);
    reach('sweeper-before-publish');
  },
  copied(text) {
    if (text.startsWith('COPY recipient_stage')) reach('csv-load');
  },
});

watchPublishes({
  written({ type, messageId }) {
    if (type !== 'call.start.v1') return;
    reach('after-socket-write');
    if (swept.has(messageId)) reach('sweeper-after-publish');
  },
  confirmed({ type }) {
    if (type !== 'call.start.v1') return true;
    reach('after-confirm');
    if (dropsConfirms) process.send?.(DROPPED_CONFIRM);
    return !dropsConfirms;
  },
});

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
const end = ServerResponse.prototype.end;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const { method, url = '' } = this.req;
  if (method === 'POST' && url.endsWith('/calls') && this.statusCode === 200) reach('before-reply');
  if (method === 'POST' && url.endsWith('/restore') && this.statusCode === 201) reach('version-restore');
  return Reflect.apply(end, this, args) as ServerResponse;
};
