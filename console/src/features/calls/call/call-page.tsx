import { useParams } from 'wouter';
import { api, type Schemas } from '../../../api/client';
import { NoteSection } from '../../../domain/note-section';
import { isE164, personNumber } from '../../../domain/phone-number';
import { CallStatus } from '../../../domain/call-status';
import { CopyButton } from '../../../ui/copy-button';
import { FailureNotice } from '../../../ui/failure-notice';
import { Loaded } from '../../../ui/loaded';
import { Loading } from '../../../ui/loading';
import { Page, Section } from '../../../ui/page';
import { Allowed } from '../../../ui/rights';
import { useIsScoped } from '../../../session/session';
import { useFollowedCall } from '../../../live/use-followed-call';
import { texts } from '../../../texts';
import { CallActions } from './call-actions';
import { CallDetails } from './call-details';
import { CallFacts } from './call-facts';
import { CallsBeside } from './calls-beside';
import { Conversation } from './conversation';
import { FindingsSection } from './findings-section';
import { ListenSection } from '../../../domain/listen-section';
import { Performance } from './performance';
import { Timeline } from './timeline';
import { findSentence } from '../../../domain/call-sentence';
import { CallWebhooks } from './call-webhooks';
import { getTitle } from '../../../domain/call-title';
import styles from './call.module.css';

/** Whether there is, or may still be, something to hear or to read. */
const hasContent = ({ ended_at, connected_at, recording_url }: Schemas['CallDetailDto']) =>
  !ended_at || Boolean(connected_at) || Boolean(recording_url);

export default function CallPage() {
  const { id = '' } = useParams();
  const isScoped = useIsScoped();
  const { call, transcript, invocations, follow, refresh } = useFollowedCall(id);
  const timeline = api.useQuery(
    'get',
    '/api/calls/{call_id}/timeline',
    { params: { path: { call_id: id } } },
    follow,
  );
  const link = `${window.location.origin}/calls/${id}`;
  const title = call.data ? getTitle(call.data.data) : texts.call.title;
  return (
    <Page
      title={title}
      actions={
        call.data && (
          <>
            <CallStatus status={call.data.data.status} />
            <CallsBeside id={id} />
            <CopyButton text={link} label={texts.call.copyLink} />
            <CopyButton text={id} label={texts.call.copyId} />
            <CallActions call={call.data.data} onChange={refresh} />
          </>
        )
      }
    >
      <Loaded query={call}>
        {({ data }) => (
          <>
            {timeline.isPending ? (
              <Loading />
            ) : (
              <p className={styles.sentence}>{timeline.data && findSentence(timeline.data.data)}</p>
            )}
            <Allowed to="operate">
              <ListenSection key={id} callId={id} isAudible={data.can_listen && !isScoped} />
            </Allowed>
            {data.metadata.summary && <p>{data.metadata.summary}</p>}
            <div className={styles.withRail}>
              <div className={styles.stack}>
                {hasContent(data) && (
                  <Section title={texts.call.transcript}>
                    {invocations.isError && <FailureNotice error={invocations.error} />}
                    <Loaded query={transcript}>
                      {({ data: { turns, complete, truncated } }) => (
                        <Conversation
                          call={data}
                          turns={turns}
                          invocations={invocations.data?.data ?? []}
                          isComplete={complete}
                          isTruncated={truncated}
                        />
                      )}
                    </Loaded>
                  </Section>
                )}
                <Section title={texts.call.timeline}>
                  <Loaded query={timeline}>{({ data: entries }) => <Timeline entries={entries} />}</Loaded>
                </Section>
              </div>
              <div className={`${styles.stack} ${styles.rail}`}>
                <Section title={texts.call.details}>
                  <CallFacts call={data} />
                </Section>
                <Loaded query={transcript}>
                  {({ data: { turns } }) => (
                    <>
                      <FindingsSection call={data} turns={turns} />
                      <Performance call={data} turns={turns} />
                    </>
                  )}
                </Loaded>
                {!isScoped && isE164(personNumber(data)) && <NoteSection number={personNumber(data)} />}
              </div>
            </div>
            <CallDetails call={data} />
            <CallWebhooks call={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
