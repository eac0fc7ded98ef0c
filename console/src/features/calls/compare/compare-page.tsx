import { Link } from 'wouter';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { CopyButton } from '../../../ui/copy-button';
import { Loaded } from '../../../ui/loaded';
import { NotFound } from '../../../ui/not-found';
import { Page, Section } from '../../../ui/page';
import { useQueryParameters } from '../../../ui/filters/use-query-parameters';
import { findSentence } from '../../../domain/call-sentence';
import { texts } from '../../../texts';
import { getTitle } from '../../../domain/call-title';
import { Turns } from '../../../domain/turns';
import { listFacts } from './compared-facts';
import { FactsTable } from './facts-table';
import styles from './compare.module.css';

const labels = texts.compare;

/** Reads what is known about a call. */
function useCall(id: string) {
  const params = { params: { path: { call_id: id } } };
  const call = api.useQuery('get', '/api/calls/{call_id}', params);
  const timeline = api.useQuery('get', '/api/calls/{call_id}/timeline', params);
  const transcript = api.useQuery('get', '/api/calls/{call_id}/transcript', params);
  return { call, timeline, transcript };
}

type ReadCall = ReturnType<typeof useCall>;

/** Two calls side by side. Both are in the address. */
export default function ComparePage() {
  const [parameters, setParameters] = useQueryParameters();
  const [left, right] = [parameters.get('left'), parameters.get('right')];
  if (!left || !right) return <NotFound />;
  return (
    <Page
      title={labels.title}
      actions={
        <>
          <CopyButton text={window.location.href} label={texts.call.copyLink} />
          <Button onClick={() => setParameters({ left: right, right: left }, { replace: true })}>
            {labels.swap}
          </Button>
        </>
      }
    >
      <Comparison key={`${left} ${right}`} ids={[left, right]} />
    </Page>
  );
}

function Comparison({ ids }: { ids: [string, string] }) {
  const [left, right] = [useCall(ids[0]), useCall(ids[1])];
  const facts = [left, right].map(({ call, transcript }) =>
    call.data && transcript.data ? listFacts(call.data.data, transcript.data.data.turns) : undefined,
  );
  return (
    <>
      <div className={styles.columns}>
        <Head {...left} />
        <Head {...right} />
      </div>
      {facts[0] && facts[1] && (
        <Section title={labels.facts}>
          <div className={styles.facts}>
            <FactsTable left={facts[0]} right={facts[1]} />
          </div>
        </Section>
      )}
      <div className={styles.columns}>
        <Transcript {...left} />
        <Transcript {...right} />
      </div>
    </>
  );
}

const Head = ({ call, timeline }: ReadCall) => (
  <Loaded query={call}>
    {({ data }) => (
      <section className={styles.head}>
        <h2>
          <Link href={`/calls/${data.call_id}`}>{getTitle(data)}</Link>
        </h2>
        <p>{timeline.data && findSentence(timeline.data.data)}</p>
        {data.metadata.summary && <p>{data.metadata.summary}</p>}
      </section>
    )}
  </Loaded>
);

const Transcript = ({ call, transcript }: ReadCall) =>
  call.data && (
    <Section title={labels.transcriptOf(getTitle(call.data.data))}>
      <Loaded query={transcript}>
        {({ data: { turns, truncated } }) => (
          <>
            {turns.length === 0 && <p>{texts.call.noTranscript}</p>}
            <Turns turns={turns} connectedAt={call.data.data.connected_at} />
            {truncated && <p>{texts.call.truncated}</p>}
          </>
        )}
      </Loaded>
    </Section>
  );
