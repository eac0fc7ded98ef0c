import { MeasurementsRepository } from '../../src/features/reports/measurements/measurements.repository';
import type { TestParley } from './parley';
import { until } from './until';

/** A call that has ended, with its turns as [speaker, start, end] in seconds after its creation. */
export interface SpokenCall {
  id: string;
  turns: [speaker: 'agent' | 'user', start: number, end: number][];
  fields?: object;
}

/** Measures all calls that are in the queue now. */
export async function measureCalls(parley: TestParley): Promise<void> {
  const measurements = parley.app.get(MeasurementsRepository, { strict: false });
  while ((await measurements.measureNext({ ofListened: false })) > 0);
}

/** Stores what runtimes would have reported about ended calls, and measures it. */
export async function addMeasuredCalls(parley: TestParley, calls: SpokenCall[]): Promise<void> {
  const ids = calls.map(({ id }) => id);
  await parley.sql(
    `INSERT INTO call_transcripts (conversation_id, turns) SELECT unnest($1::uuid[]), 100 ON CONFLICT DO NOTHING`,
    [ids],
  );
  const turns = calls.flatMap(({ id, turns: spoken }) =>
    spoken.map(([speaker, start, end], sequence) => ({ id, sequence, speaker, start, end })),
  );
  await parley.sql(
    `INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at, ended_at)
     SELECT conversations.id, sequence, speaker, '.', created_at + start * interval '1 s', created_at + "end" * interval '1 s'
     FROM jsonb_to_recordset($1::jsonb) AS turn (id uuid, sequence int, speaker text, start float8, "end" float8)
     JOIN conversations ON conversations.id = turn.id`,
    [JSON.stringify(turns)],
  );
  await parley.sql(
    `INSERT INTO call_analyses (conversation_id, fields)
     SELECT id, fields FROM jsonb_to_recordset($1::jsonb) AS call (id uuid, fields jsonb) WHERE fields IS NOT NULL`,
    [JSON.stringify(calls.map(({ id, fields }) => ({ id, fields })))],
  );
  // A late report has queued its call already.
  await parley.sql(
    'INSERT INTO calls_to_measure (conversation_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING',
    [ids],
  );
  // The server measures too, and may have some of the calls.
  await until(async () => {
    await measureCalls(parley);
    const left = await parley.sql('SELECT FROM calls_to_measure WHERE conversation_id = ANY ($1)', [ids]);
    return left.length === 0;
  });
}

/** The sums of a workspace that are not those of its calls. */
export const findWrongMeasurements = (parley: TestParley, workspaceId: string): Promise<object[]> =>
  parley.sql(
    `WITH counted AS (
       SELECT starts_at, agent_id, agent_version, campaign_id, key AS measure, sum(value::bigint) AS amount
       FROM call_measurements CROSS JOIN LATERAL jsonb_each_text(amounts)
       WHERE workspace_id = $1 GROUP BY 1, 2, 3, 4, 5)
     SELECT * FROM counted FULL JOIN (SELECT * FROM measurement_rollups WHERE workspace_id = $1) AS stored
       USING (starts_at, agent_id, agent_version, campaign_id, measure)
     WHERE counted.amount IS DISTINCT FROM stored.amount`,
    [workspaceId],
  );
