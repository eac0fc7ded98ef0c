import { type ReactNode, useState } from 'react';
import { client } from '../../api/client';
import { useConnection } from '../../api/connection';
import { useCampaignNames } from '../../domain/use-campaign-names';
import { hangUpText } from '../../domain/phone-number';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { FilterBar } from '../../ui/filters/filter-bar';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useMay } from '../../ui/rights';
import { useFile } from '../../ui/use-file';
import { HangUpBar } from './hang-up-bar';
import type { Call } from './in-progress';
import { listFilters } from './live-filters';
import styles from './live.module.css';
import { LiveTable } from './live-table';
import { MAX_CALLS, useCallsInProgress } from './use-calls-in-progress';
import { useFocusAfterEnd } from './use-focus-after-end';
import type { CallPanelProps } from './panel/call-panel';
import { useOpenCall } from './use-open-call';
import { countStatuses, FILTERS, filterCalls, NO_CAMPAIGN, readOrder, sortCalls } from './view';

const labels = texts.live;

const NONE: Call[] = [];

/** The calls in progress, the longest first. */
export default function LivePage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = useCallsInProgress();
  const isScoped = useIsScoped();
  const mayHangUp = useMay('operate') && !isScoped;
  const { isAway } = useConnection();
  const [asked, setAsked] = useState<Call>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  const all = query.data?.calls ?? NONE;
  const agents = new Map(all.map(({ agent }) => [agent.id, agent.name]));
  const campaigns = useCampaignNames(
    [...new Set(all.flatMap(({ campaign_id }) => campaign_id ?? []))].sort(),
    !isScoped,
  );
  const names = {
    agent: (id: string) => agents.get(id) ?? texts.agents.unknown(id.slice(-4)),
    campaign: (id: string) =>
      id === NO_CAMPAIGN ? labels.noCampaign : (campaigns.get(id) ?? labels.unknownCampaign(id.slice(-4))),
  };
  const order = readOrder(parameters);
  const calls = sortCalls(filterCalls(all, parameters), order, ({ campaign_id }) =>
    names.campaign(campaign_id ?? NO_CAMPAIGN),
  );
  const open = useOpenCall(calls, state);
  const expectEnd = useFocusAfterEnd(calls);
  const hangUp = (call_id: string) => {
    // A panel keeps the focus.
    if (open.id === '') expectEnd(call_id);
    return client.POST('/api/calls/{call_id}/hangup', { params: { path: { call_id } } });
  };
  const total = query.data?.total ?? 0;
  const renderBar = (act?: ReactNode) => (
    <FilterBar label={labels.filters} filters={listFilters(all, parameters, names)} state={state}>
      <p>{labels.counts(countStatuses(calls))}</p>
      <p role="status">
        {labels.shown(calls.length, total)} {total > MAX_CALLS && labels.newest(MAX_CALLS)}
      </p>
      {act}
    </FilterBar>
  );
  const isFiltered = FILTERS.some((name) => parameters.has(name));
  return (
    <Page title={labels.title}>
      <Loaded query={query} isCurrent>
        {() => (
          <>
            {/* The API lets a credential for some agents read calls, not end them. */}
            {!mayHangUp ? (
              renderBar()
            ) : (
              <HangUpBar
                hasCalls={all.length > 0}
                chosen={calls.filter(({ call_id }) => chosen.has(call_id))}
                onDone={(done) => setChosen((now) => new Set([...now].filter((id) => !done.includes(id))))}
              >
                {renderBar}
              </HangUpBar>
            )}
            <div className={styles.list}>
              <LiveTable
                calls={calls}
                order={order}
                names={names}
                empty={isAway ? labels.unknown : isFiltered ? labels.noneMatches : labels.empty}
                opened={open.id}
                toHref={open.toHref}
                onSort={(sortBy, sortOrder) => setParameters({ sortBy, sortOrder })}
                hangUp={!mayHangUp ? undefined : { chosen, onChoose: setChosen, onAsk: setAsked }}
              />
              {open.id !== '' && (
                <Panel
                  id={open.id}
                  listed={all.find(({ call_id }) => call_id === open.id)}
                  beside={open.beside}
                  campaign={names.campaign}
                  onHangUp={mayHangUp ? setAsked : undefined}
                  onClose={open.close}
                />
              )}
            </div>
          </>
        )}
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={texts.call.hangUpTitle}
          text={hangUpText(asked)}
          action={texts.call.hangUp}
          run={() => hangUp(asked.call_id)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}

/** The panel, whose file is loaded when it opens first. */
function Panel(props: CallPanelProps) {
  const file = useFile('call-panel', () => import('./panel/call-panel'));
  return <Loaded query={file}>{({ CallPanel }) => <CallPanel {...props} />}</Loaded>;
}
