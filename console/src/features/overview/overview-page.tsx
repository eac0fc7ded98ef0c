import { useState } from 'react';
import { Redirect } from 'wouter';
import { api } from '../../api/client';
import { readCounted } from '../../domain/counted-calls';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useMay } from '../../ui/rights';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { Attention, useProblems } from './attention';
import { FailureReasons } from './failure-reasons';
import { FirstSteps } from './first-steps';
import { RunningCampaigns } from './running-campaigns';
import { Today, useToday } from './today';
import { UnderWay } from './under-way';
import styles from './overview.module.css';

/** The state of the workspace and its problems. A credential for some agents sees its calls instead. */
export default function OverviewPage() {
  return useIsScoped() ? <Redirect to="/calls" replace /> : <Overview />;
}

function Overview() {
  const calls = api.useQuery('get', '/api/calls', { params: { query: { limit: 1 } } });
  // Almost every workspace has calls. The parts that show them do not wait until that is known.
  const problems = useProblems();
  const [parameters] = useQueryParameters();
  const counted = readCounted(parameters);
  const today = useToday(counted);
  // The first steps stay after the first call, until the user closes them.
  const [isFirst, setFirst] = useState<boolean>();
  const mayBegin = useMay('administer');
  if (isFirst === undefined && calls.data) setFirst(mayBegin && calls.data.pagination.total === 0);
  const leave = () => {
    // The button is removed, which would lose the focus.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    setFirst(false);
  };
  return (
    <Page title={texts.overview.title}>
      <Loaded query={calls}>
        {() => (
          <>
            <Attention found={problems} isNew={isFirst === true} />
            {isFirst ? (
              <FirstSteps onLeave={leave} />
            ) : (
              <>
                <UnderWay />
                <Today found={today} />
                <div className={styles.columns}>
                  <FailureReasons counted={counted} />
                  <RunningCampaigns />
                </div>
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
