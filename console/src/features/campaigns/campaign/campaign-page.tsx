import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '../../../api/client';
import { buttonClass } from '../../../ui/button';
import { isBeingCancelled, isMoving, countLeft } from '../cancelling';
import { CampaignStatus } from '../campaign-status';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { texts } from '../../../texts';
import { CampaignActions } from './campaign-actions';
import styles from './campaign-page.module.css';
import { LogSection } from './log-section';
import { OutcomesSection } from './outcomes-section';
import { PlanSection } from './plan-section';
import { ProgressSection } from './progress-section';
import { RecipientsSection } from './recipients-section';
import { WaitingNotice } from './waiting-notice';

/** No event announces a new rate of the last minute, so the page polls. */
const POLL_MS = 5_000;

export default function CampaignPage() {
  const { id = '' } = useParams();
  const [done, setDone] = useState('');
  const campaign = api.useQuery(
    'get',
    '/api/campaign/{campaign_id}',
    { params: { path: { campaign_id: id } } },
    { refetchInterval: ({ state: { data } }) => (data && isMoving(data.data) ? POLL_MS : false) },
  );
  const found = campaign.data?.data;
  const onDone = async (text: string) => {
    await campaign.refetch();
    setDone(text);
  };
  const news = found && isBeingCancelled(found) ? texts.campaigns.detail.cancelling(countLeft(found)) : done;
  return (
    <Page
      title={found?.campaignName ?? texts.campaigns.one}
      actions={
        found && (
          <>
            <CampaignStatus campaign={found} />
            <CampaignActions campaign={found} onDone={onDone} />
            <Link className={buttonClass()} href={`/calls?campaign_id=${id}`}>
              {texts.campaigns.detail.calls}
            </Link>
          </>
        )
      }
    >
      <p role="status" className={news === '' ? 'visually-hidden' : undefined}>
        {news}
      </p>
      <Loaded query={campaign}>
        {({ data }) => (
          <>
            <WaitingNotice campaign={data} />
            <div className={styles.columns}>
              <ProgressSection campaign={data} />
              <OutcomesSection campaign={data} />
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
