import { Link } from 'wouter';
import { AgentName } from '../../../domain/agent-name';
import { type Campaign, retryText } from '../plan/plan';
import { WeekPicture } from '../plan/week-picture';
import { Facts } from '../../../ui/facts';
import { Section } from '../../../ui/page';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';

const { detail: labels, plan: planWords } = texts.campaigns;

/** The plan of the campaign, and the data that it was created with. */
export function PlanSection({ campaign }: { campaign: Campaign }) {
  const { timezone, windows, assistantId: agentId, expiresAt, callsPerSecond } = campaign;
  return (
    <Section title={planWords.title}>
      <p>{labels.timesIn(timezone)}</p>
      <WeekPicture windows={windows} zone={timezone} />
      <Facts
        facts={[
          {
            name: labels.agent,
            value: (
              <Link href={`/agents/${agentId}`}>
                <AgentName id={agentId} name={undefined} isReading={false} />
              </Link>
            ),
          },
          { name: labels.starts, value: <TimeText at={campaign.scheduleTime} zone={timezone} isZoneKnown /> },
          { name: planWords.zone, value: timezone },
          { name: planWords.concurrency, value: campaign.concurrency.toLocaleString() },
          { name: planWords.rate, value: callsPerSecond ?? planWords.noRate },
          { name: planWords.retries, value: retryText(campaign.retry) },
          {
            name: planWords.expires,
            value: expiresAt && <TimeText at={expiresAt} zone={timezone} isZoneKnown />,
          },
          { name: labels.webhook, value: campaign.webhookUrl, isWide: true },
          { name: labels.created, value: <TimeText at={campaign.createdAt} zone={timezone} isZoneKnown /> },
          { name: labels.updated, value: <TimeText at={campaign.updatedAt} zone={timezone} isZoneKnown /> },
          { name: labels.id, value: <code>{campaign.campaign_id}</code> },
        ]}
      />
    </Section>
  );
}
