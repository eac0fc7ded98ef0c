import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { TimeText } from '../../ui/time-text';
import { clearSession, signOut, useSession } from '../../session/session';
import { isLimitedToAgents } from '../../session/scopes';
import { texts } from '../../texts';
import { accessText } from './access-text';
import { PublishingSection } from './publishing-section';
import { QuotasSection } from './quotas-section';
import { SessionsSection } from './sessions-section';
import { SettingsFrame } from './settings-frame';

const { tabs, session: labels, workspace: names } = texts.settings;

/** The workspace and the current session. */
export default function GeneralPage() {
  const session = useSession();
  const queries = useQueryClient();
  const leave = async () => {
    await signOut();
    clearSession(queries);
  };
  return (
    <SettingsFrame tab={tabs.general}>
      <Section title={labels.title} actions={<Button onClick={() => void leave()}>{labels.signOut}</Button>}>
        <Loaded query={session}>{(found) => found && <SessionFacts session={found} />}</Loaded>
      </Section>
      {session.data && !isLimitedToAgents(session.data.scopes) && (
        <>
          <WorkspaceSection />
          <PublishingSection />
          <SessionsSection />
          <QuotasSection />
        </>
      )}
    </SettingsFrame>
  );
}

const SessionFacts = ({ session }: { session: Schemas['SessionDto'] }) => (
  <Facts
    facts={[
      { name: labels.user, value: session.user.name },
      { name: names.title, value: session.workspace.name },
      { name: labels.access, value: accessText(session.scopes) },
      {
        name: labels.until,
        value: session.expires_at ? (
          <>
            <TimeText at={session.expires_at} />
            {labels.ifIdle}
          </>
        ) : (
          labels.never
        ),
      },
      { name: labels.id, value: <code>{session.user.id}</code> },
    ]}
  />
);

function WorkspaceSection() {
  const workspace = api.useQuery('get', '/api/workspace');
  return (
    <Section title={names.title}>
      <Loaded query={workspace}>
        {({ data }) => (
          <Facts
            facts={[
              { name: names.name, value: data.name },
              { name: names.credits, value: data.credits.toLocaleString() },
              { name: names.underWay, value: data.callsUnderWay.toLocaleString() },
              { name: names.subscription, value: names.subscriptions[data.subscription] },
              { name: names.created, value: <TimeText at={data.createdAt} /> },
              { name: names.id, value: <code>{data.workspaceId}</code> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
