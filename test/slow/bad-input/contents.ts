import { readdir } from 'node:fs/promises';
import type { TestParley } from '../../support/parley';
import { until } from '../../support/until';

interface Table {
  name: string;
}

/** The server records that a call was published after it has answered the request. */
async function areCallsDispatched(parley: TestParley): Promise<boolean> {
  const waiting = `SELECT FROM conversations WHERE status = 'queued' AND dispatched_at IS NULL LIMIT 1`;
  return (await parley.sql(waiting)).length === 0;
}

/** Once a minute, the server notes when these were last used, by refused requests too. */
const NOTED_LATER = ['public.api_keys', 'public.sessions'];

/** The stored data of a server: the count and hash of each table's rows, and the names of its files. */
export async function readContents(parley: TestParley): Promise<Record<string, string>> {
  await until(() => areCallsDispatched(parley));
  const tables = await parley.sql<Table>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows = await parley.sql<{ name: string; contents: string }>(
    tables
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name,
             count(*) || ' rows ' || coalesce(md5(string_agg(md5(row), '' ORDER BY md5(row))), '') AS contents
           FROM (SELECT ${NOTED_LATER.includes(name) ? `(to_jsonb(t) - 'last_used_at')` : 't'}::text AS row FROM ${name} AS t) AS rows`,
      )
      .join(' UNION ALL '),
  );
  const files = await readdir(parley.dataFolder, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  return {
    ...Object.fromEntries(rows.map(({ name, contents }) => [name, contents])),
    files: names.sort().join('\n'),
  };
}
