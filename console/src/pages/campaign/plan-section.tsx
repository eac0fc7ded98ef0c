import { Link } from 'wouter';
import { AgentName } from '../../components/agent-name';
import { type Campaign, retryText } from '../../components/campaign/plan';
import { WeekPicture } from '../../components/campaign/week-picture';
import { ZonedTime } from '../../components/campaign/zoned-time';
import { Facts } from '../../components/facts';
import { Section } from '../../components/page';
import { TimeText } from '../../components/time-text';
import { texts } from '../../texts';

const { detail: words, plan: planWords } = texts.campaigns;

/** When and how the campaign calls, and what it was made with. */
export function PlanSection({ campaign }: { campaign: Campaign }) {
  const { timezone, windows, assistantId: agentId, expiresAt, callsPerSecond } = campaign;
  return (
    <Section title={planWords.title}>
      <WeekPicture windows={windows} zone={timezone} />
      <Facts
        facts={[
          {
            name: words.agent,
            value: (
              <Link href={`/agents/${agentId}`}>
                <AgentName id={agentId} name={undefined} isReading={false} />
              </Link>
            ),
          },
          { name: words.starts, value: <ZonedTime at={campaign.scheduleTime} zone={timezone} /> },
          { name: planWords.zone, value: timezone },
          { name: planWords.concurrency, value: campaign.concurrency.toLocaleString() },
          { name: planWords.rate, value: callsPerSecond ?? planWords.noRate },
          { name: planWords.retries, value: retryText(campaign.retry) },
          { name: planWords.expires, value: expiresAt && <ZonedTime at={expiresAt} zone={timezone} /> },
          { name: words.webhook, value: campaign.webhookUrl },
          { name: words.created, value: <TimeText at={campaign.createdAt} /> },
          { name: words.updated, value: <TimeText at={campaign.updatedAt} /> },
          { name: words.id, value: <code>{campaign.campaign_id}</code> },
        ]}
      />
    </Section>
  );
}
