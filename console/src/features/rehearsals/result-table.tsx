import type { Schemas } from '../../api/client';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/table/column';
import { Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { RunChange, RunStatus, whyOf } from './rehearsal-status';
import styles from './run.module.css';

type Result = Schemas['RunResultDto'];

const labels = texts.rehearsals;

const CHANGE: Column<Result> = {
  key: 'change',
  header: labels.columns.change,
  cell: ({ change }) => <RunChange change={change} />,
};

/** The results of a run, each of which leads to its conversation. */
export const ResultTable = ({ run }: { run: Schemas['RehearsalRunDetailDto'] }) => (
  <Table<Result>
    caption={labels.results}
    rows={run.results}
    rowKey={({ name }) => name}
    rowHref={({ name }) => `/rehearsal-runs/${run.run_id}?${new URLSearchParams({ rehearsal: name })}`}
    columns={[
      { key: 'name', header: labels.columns.name, cell: ({ name }) => name },
      {
        key: 'status',
        header: labels.runColumns.status,
        cell: ({ status, flaky }) => (
          <span className={styles.badges}>
            <RunStatus status={status} />
            {flaky && <Badge tone="warn">{labels.flaky}</Badge>}
          </span>
        ),
      },
      ...(run.against === null ? [] : [CHANGE]),
      { key: 'why', header: labels.columns.why, cell: whyOf, phone: 'rest' },
    ]}
  />
);
