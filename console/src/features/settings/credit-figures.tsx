import { api } from '../../api/client';
import { useSeries } from '../../api/series';
import { Tiles } from '../../domain/figure-tiles';
import { Loaded } from '../../ui/loaded';
import { dayText, zone } from '../../ui/moment';
import { Section } from '../../ui/page';
import { useMinute } from '../../ui/use-minute';
import { texts } from '../../texts';
import styles from './settings.module.css';

const { figures: labels } = texts.settings.credits;

/** The credits that calls cost since a day. */
const useUsage = (start_date: string) => useSeries({ start_date, interval: 'month', timezone: zone });

/** The free credits, and the usage of today and of this month. */
export function CreditFigures() {
  const today = dayText(useMinute());
  const workspace = api.useQuery('get', '/api/workspace');
  const ofToday = useUsage(today);
  const ofMonth = useUsage(`${today.slice(0, -2)}01`);
  return (
    <Section title={labels.title}>
      <Loaded query={workspace}>
        {({ data }) => (
          <Loaded query={ofToday}>
            {({ totals: day }) => (
              <Loaded query={ofMonth}>
                {({ totals: month }) => (
                  <Tiles
                    label={labels.title}
                    tiles={[
                      { key: 'free', name: labels.free, value: data.credits.toLocaleString() },
                      { key: 'today', name: labels.today, value: day.credits.toLocaleString() },
                      { key: 'month', name: labels.month, value: month.credits.toLocaleString() },
                    ]}
                  />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
      <p className={styles.muted}>{labels.text}</p>
    </Section>
  );
}
