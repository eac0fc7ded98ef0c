import type { Installation } from './installation';
import type { Start } from './start';

/** A broken promise. */
export interface Violation {
  message: string;
  conversationId?: string;
  number?: string;
  start?: Start;
}

/** Describes a violation with the rows, the ledger entries and the dialled numbers that belong to it. */
export async function explain(installation: Installation, violation: Violation): Promise<string> {
  const { message, conversationId = null, number = null, start } = violation;
  const conversations = await installation.rows<{ id: string }>(
    `SELECT to_jsonb(conversations) - 'agent_snapshot' - 'request' AS row, id FROM conversations
     WHERE id = $1 OR to_number = $2`,
    [conversationId, number],
  );
  const ledger = await installation.rows(
    'SELECT * FROM credit_entries WHERE conversation_id = ANY($1) ORDER BY id',
    [conversations.map(({ id }) => id)],
  );
  const dialled = installation.dialLog
    .read()
    .filter((line) => line.conversationId === conversationId || line.number === number);
  return [
    `VIOLATION: ${message}`,
    ...(start ? [`start: ${JSON.stringify(start)}`] : []),
    ...conversations.map((row) => `conversation: ${JSON.stringify(row)}`),
    ...ledger.map((row) => `ledger: ${JSON.stringify(row)}`),
    ...dialled.map((line) => `dialled: ${JSON.stringify(line)}`),
  ].join('\n');
}
