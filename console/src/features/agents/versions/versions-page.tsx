import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { api, client, type Schemas } from '../../../api/client';
import { buttonClass } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { Pager } from '../../../ui/table/pager';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { texts } from '../../../texts';
import { useDeployment } from '../publishing/use-deployment';
import { Comparison } from './comparison';
import { RestoredNotice } from './restored-notice';
import { VersionTable } from './version-table';
import { readRowsPerPage } from '../../../ui/table/rows-per-page';

type Restored = Schemas['RestoredVersionDto'];

export default function VersionsPage() {
  const { id = '' } = useParams();
  const [parameters, setParameters] = useQueryParameters();
  const path = { agent_id: id };
  const agent = api.useQuery('get', '/api/agents/{agent_id}', { params: { path } });
  const query = { page: Number(parameters.get('page') ?? 1), limit: readRowsPerPage() };
  const versions = api.useQuery(
    'get',
    '/api/agents/{agent_id}/versions',
    { params: { path, query } },
    { placeholderData: keepPreviousData },
  );
  const [asked, setAsked] = useState<number>();
  const [restored, setRestored] = useState<Restored>();
  const name = agent.data?.data[0]?.name ?? texts.agent.title;
  const deployment = useDeployment(id);
  const newest = agent.data?.data[0]?.deployment.version;
  const restore = async (version: number) => {
    const { data } = await client.POST('/api/agents/{agent_id}/versions/{version}/restore', {
      params: { path: { ...path, version: String(version) } },
    });
    setRestored(data?.data);
    setParameters({ page: undefined, left: String(version), right: String(data?.data.version) });
    await Promise.all([versions.refetch(), agent.refetch(), deployment.refetch()]);
  };
  return (
    <Page
      title={texts.versions.title(name)}
      actions={
        <Link className={buttonClass()} href={`/agents/${id}`}>
          {texts.versions.back}
        </Link>
      }
    >
      <RestoredNotice restored={restored} />
      <Loaded query={versions}>
        {({ data, pagination }) => {
          // Before two versions are chosen, the newest one of the page is compared with the one before it.
          const right = Number(parameters.get('right') ?? data[0]?.version ?? 0);
          const left = Number(parameters.get('left') ?? data[1]?.version ?? 0);
          return (
            <>
              {left > 0 && right > 0 ? (
                <Comparison
                  agentId={id}
                  left={left}
                  right={right}
                  versions={data.map(({ version }) => version)}
                  onChoose={(side, version) => setParameters({ [side]: String(version) }, { replace: true })}
                />
              ) : (
                <p>{texts.versions.onlyOne}</p>
              )}
              <VersionTable
                agentId={id}
                versions={data}
                newest={newest}
                deployment={deployment.data?.data}
                onRestore={setAsked}
              />
              <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
            </>
          );
        }}
      </Loaded>
      {asked !== undefined && (
        <ConfirmDialog
          title={texts.versions.restoreTitle(asked)}
          text={texts.versions.restoreText(name, asked, deployment.data?.data.publish)}
          action={texts.versions.restore}
          isDestructive={false}
          run={() => restore(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}
