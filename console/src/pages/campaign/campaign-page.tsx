import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '../../api/client';
import { buttonClass } from '../../components/button';
import { CampaignStatus } from '../../components/campaign/campaign-status';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { texts } from '../../texts';
import { CampaignActions } from './campaign-actions';
import styles from './campaign-page.module.css';
import { LogSection } from './log-section';
import { OutcomesSection } from './outcomes-section';
import { PlanSection } from './plan-section';
import { ProgressSection } from './progress-section';
import { RecipientsSection } from './recipients-section';
import { WaitingNotice } from './waiting-notice';

/** The rate of the last minute changes without a hint. */
const EVERY_MS = 5_000;

export default function CampaignPage() {
  const { id = '' } = useParams();
  const [done, setDone] = useState('');
  const campaign = api.useQuery(
    'get',
    '/api/campaign/{campaign_id}',
    { params: { path: { campaign_id: id } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'running' ? EVERY_MS : false) },
  );
  const found = campaign.data?.data;
  const onDone = async (text: string) => {
    await campaign.refetch();
    setDone(text);
  };
  return (
    <Page
      title={found?.campaignName ?? texts.campaigns.one}
      actions={
        found && (
          <>
            <CampaignStatus status={found.status} />
            <CampaignActions campaign={found} onDone={onDone} />
            <Link className={buttonClass()} href={`/calls?campaign_id=${id}`}>
              {texts.campaigns.detail.calls}
            </Link>
          </>
        )
      }
    >
      <p role="status" className={done === '' ? 'visually-hidden' : undefined}>
        {done}
      </p>
      <Loaded query={campaign}>
        {({ data }) => (
          <>
            <WaitingNotice campaign={data} />
            <div className={styles.columns}>
              <ProgressSection campaign={data} />
              <OutcomesSection outcomes={data.outcomes} />
            </div>
            <PlanSection campaign={data} />
            <RecipientsSection campaign={data} onDone={onDone} />
            <LogSection campaign={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
