/**
 * SQL: a statement that has calls measured, again if they were measured before. It updates a row that is there, because
 * a transaction that measures the call now would not see this report.
 * @param calls SQL: a table with the column `id`
 */
export const queueCalls = (calls: string) => `
  INSERT INTO calls_to_measure AS queued (conversation_id)
  SELECT DISTINCT id FROM ${calls} ORDER BY id
  ON CONFLICT (conversation_id) DO UPDATE SET revision = queued.revision + 1`;
