import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { api, client, type Schemas } from '../../api/client';
import { Button, buttonClass } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page, Section } from '../../ui/page';
import { useMay } from '../../ui/rights';
import { hasStoredDraft } from '../../ui/schema-form/use-stored-draft';
import { Pager } from '../../ui/table/pager';
import { useIdempotencyKey } from '../../ui/use-idempotency-key';
import { texts } from '../../texts';
import { LastResults } from './last-results';
import { RehearsalsFile, toDraftKey } from './rehearsals-file';
import { RunTable } from './run-table';
import { useRehearsalsFile } from './use-rehearsals-file';
import { useRuns } from './use-runs';

const labels = texts.rehearsals;

/** The rehearsals of an agent: their last results, their file, and the runs. */
export default function RehearsalsPage() {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const [parameters, setParameters] = useQueryParameters();
  const [isUnsaved, setUnsaved] = useState(false);
  const path = { agent_id: id };
  const isReadOnly = !useMay('administer');
  const agent = api.useQuery('get', '/api/agents/{agent_id}', { params: { path } });
  const runs = useRuns(id, Number(parameters.get('page') ?? 1));
  const file = useRehearsalsFile(id);
  const getKey = useIdempotencyKey();
  const run = useMutation({
    mutationFn: async () => {
      // The page is left after a run has started, so each visit has one key.
      const params = { path, header: { 'Idempotency-Key': getKey(id) } };
      // All fields have a default.
      const body = {} as Schemas['StartRunDto'];
      return (await client.POST('/api/agents/{agent_id}/rehearsal-runs', { params, body })).data?.data;
    },
    onSuccess: (started) => started && navigate(`/rehearsal-runs/${started.run_id}`),
  });
  const start = () => {
    const hasChanges = hasStoredDraft(toDraftKey(id));
    setUnsaved(hasChanges);
    if (!hasChanges) run.mutate();
  };
  const name = agent.data?.data[0]?.name;
  return (
    <Page
      title={name === undefined ? labels.short : labels.title(name)}
      actions={
        agent.data && (
          <>
            <Link className={buttonClass()} href={`/agents/${id}`}>
              {labels.back}
            </Link>
            <Button needs="administer" variant="primary" act={run} onClick={start}>
              {labels.run}
            </Button>
          </>
        )
      }
    >
      <Loaded query={agent}>
        {() => (
          <>
            <p>{labels.intro}</p>
            {isReadOnly && <Notice kind="info">{labels.readOnly}</Notice>}
            <div role="alert">{isUnsaved && <Notice kind="warn">{labels.unsaved}</Notice>}</div>
            {run.isError && <FailureNotice error={run.error} />}
            <LastResults agentId={id} />
            <Section title={labels.file}>
              <Loaded query={file}>
                {(text) => (
                  <RehearsalsFile
                    key={id}
                    agentId={id}
                    stored={text}
                    isReadOnly={isReadOnly}
                    refresh={async () => (await file.refetch({ throwOnError: true })).data ?? ''}
                    onChange={() => setUnsaved(false)}
                  />
                )}
              </Loaded>
            </Section>
            <Section title={labels.runs}>
              <Loaded query={runs}>
                {({ data, pagination }) => (
                  <>
                    <RunTable runs={data} />
                    <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
                  </>
                )}
              </Loaded>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
