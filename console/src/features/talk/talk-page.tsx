import { Link, Redirect, useParams } from 'wouter';
import { api } from '../../api/client';
import { texts } from '../../texts';
import { buttonClass } from '../../ui/button';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Before } from './before-talk';
import { During } from './during-talk';
import { Failed } from './talk-failed';
import { type Stage, useTalk } from './use-talk';

const STARTING = { asking: texts.talk.asking, starting: texts.talk.starting };

function getStarting(stage: Stage) {
  return stage.name === 'asking' || stage.name === 'starting'
    ? { way: stage.way, text: STARTING[stage.name] }
    : undefined;
}

/** A conversation with an agent in the browser, which ends on the page of its call. */
export default function TalkPage() {
  const { id = '' } = useParams();
  const [parameters] = useQueryParameters();
  const version = Number(parameters.get('version')) || undefined;
  const agent = api.useQuery('get', '/api/agents/{agent_id}', { params: { path: { agent_id: id } } });
  const [found] = agent.data?.data ?? [];
  const { stage, start, session } = useTalk(id, version);
  if (stage.name === 'over') return <Redirect to={`/calls/${stage.callId}`} replace />;
  return (
    <Page
      title={texts.talk.title(found?.name ?? texts.agents.one)}
      actions={
        stage.name !== 'talking' && (
          <Link className={buttonClass()} href={`/agents/${id}`}>
            {texts.talk.agent}
          </Link>
        )
      }
    >
      {stage.name === 'failed' && <Failed problem={stage.problem} callId={stage.callId} />}
      {stage.name === 'talking' ? (
        <During stage={stage} session={session} />
      ) : (
        <Loaded query={agent}>
          {({ data: [shown] }) =>
            shown && <Before agent={shown} version={version} starting={getStarting(stage)} onStart={start} />
          }
        </Loaded>
      )}
    </Page>
  );
}
