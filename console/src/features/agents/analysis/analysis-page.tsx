import { Link, useParams } from 'wouter';
import { api } from '../../../api/client';
import { useDocument } from '../../../api/document';
import { useIsScoped } from '../../../session/session';
import { buttonClass } from '../../../ui/button';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { useMay } from '../../../ui/rights';
import { texts } from '../../../texts';
import { AnalysisEditor } from './analysis-editor';

/** The page of the fields and criteria that the calls of an agent are to yield. */
export default function AnalysisPage() {
  const { id = '' } = useParams();
  const params = { params: { path: { agent_id: id } } };
  const isScoped = useIsScoped();
  const mayChange = useMay('administer');
  const document = useDocument();
  const agent = api.useQuery('get', '/api/agents/{agent_id}', params);
  const analysis = api.useQuery('get', '/api/agents/{agent_id}/analysis', params);
  return (
    <Page
      title={texts.analysis.title(agent.data?.data[0]?.name ?? texts.agent.title)}
      actions={
        <Link className={buttonClass()} href={`/agents/${id}`}>
          {texts.versions.back}
        </Link>
      }
    >
      <Loaded query={analysis}>
        {({ data }) => (
          <Loaded query={document}>
            {(loaded) => (
              <AnalysisEditor
                key={id}
                agentId={id}
                analysis={data}
                document={loaded}
                isReadOnly={isScoped || !mayChange}
                refresh={() => Promise.all([analysis.refetch(), agent.refetch()])}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
