import type { Schemas } from '../../api/client';
import { Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { RunStatus } from './rehearsal-status';

type Run = Schemas['RehearsalRunDto'];

const labels = texts.rehearsals;

/** A conversation that both versions play counts once. */
const countPlayed = ({ totals }: Run) => totals.passed + totals.failed + totals.error;

/** The runs of an agent, newest first. */
export const RunTable = ({ runs }: { runs: Run[] }) => (
  <Table<Run>
    caption={labels.runs}
    rows={runs}
    rowKey={({ run_id }) => run_id}
    rowHref={({ run_id }) => `/rehearsal-runs/${run_id}`}
    empty={labels.noRuns}
    columns={[
      {
        key: 'created',
        header: labels.runColumns.created,
        cell: ({ created_at }) => <TimeText at={created_at} />,
        phone: 'title',
      },
      {
        key: 'status',
        header: labels.runColumns.status,
        cell: ({ status }) => <RunStatus status={status} />,
        phone: 'aside',
      },
      {
        key: 'passed',
        header: labels.runColumns.passed,
        cell: (run) => labels.passed(run.totals.passed, countPlayed(run)),
        phone: 'named',
      },
      {
        key: 'version',
        header: labels.runColumns.version,
        cell: ({ version, fields }) => (fields?.length ? labels.withFields(version) : version),
        phone: 'named',
      },
    ]}
  />
);
