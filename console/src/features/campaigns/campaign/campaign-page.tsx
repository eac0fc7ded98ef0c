import { CampaignFrame } from './campaign-frame';
import styles from './campaign-page.module.css';
import { LogSection } from './log-section';
import { OutcomesSection } from './outcomes-section';
import { PlanSection } from './plan-section';
import { ProgressSection } from './progress-section';
import { WaitingNotice } from './waiting-notice';

/** The progress, the plan and the log of a campaign. */
export default function CampaignPage() {
  return (
    <CampaignFrame>
      {(campaign) => (
        <>
          <WaitingNotice campaign={campaign} />
          <div className={styles.columns}>
            <ProgressSection campaign={campaign} />
            <OutcomesSection campaign={campaign} />
          </div>
          <PlanSection campaign={campaign} />
          <LogSection campaign={campaign} />
        </>
      )}
    </CampaignFrame>
  );
}
