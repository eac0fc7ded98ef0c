import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '../../../api/client';
import { texts } from '../../../texts';
import { buttonClass } from '../../../ui/button';
import { Loaded } from '../../../ui/loaded';
import { Page } from '../../../ui/page';
import { Tabs } from '../../../ui/tabs';
import { CampaignStatus } from '../campaign-status';
import { countLeft, isBeingCancelled, isMoving } from '../cancelling';
import type { Campaign } from '../plan/plan';
import { CampaignActions } from './campaign-actions';

const labels = texts.campaigns.detail;

/** No event announces a new rate of the last minute, so the page polls. */
const POLL_MS = 5_000;

interface Props {
  children: (campaign: Campaign, onDone: (text: string) => Promise<void>) => ReactNode;
}

/** A page of a campaign, with its actions and links to the other page. */
export function CampaignFrame({ children }: Props) {
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
  const news = found && isBeingCancelled(found) ? labels.cancelling(countLeft(found)) : done;
  return (
    <Page
      title={found?.campaignName ?? texts.campaigns.one}
      beside={
        <Tabs
          label={texts.campaigns.one}
          tabs={[
            { href: `/campaigns/${id}`, label: labels.overview },
            { href: `/campaigns/${id}/recipients`, label: texts.campaigns.list.title },
          ]}
        />
      }
      actions={
        found && (
          <>
            <CampaignStatus campaign={found} />
            <CampaignActions campaign={found} onDone={onDone} />
            <Link className={buttonClass()} href={`/calls?campaign_id=${id}`}>
              {labels.calls}
            </Link>
          </>
        )
      }
    >
      <p role="status" className={news === '' ? 'visually-hidden' : undefined}>
        {news}
      </p>
      <Loaded query={campaign}>{({ data }) => children(data, onDone)}</Loaded>
    </Page>
  );
}
