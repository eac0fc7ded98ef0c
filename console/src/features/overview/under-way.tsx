import { Link } from 'wouter';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { useCounts } from '../../live/use-counts';
import { texts } from '../../texts';
import styles from './overview.module.css';

const { counts: labels, now } = texts.overview;

const STATUSES = ['connected', 'accepted', 'queued'] as const;

/** The number of calls in progress, by status. */
export function UnderWay() {
  const counts = useCounts();
  return (
    <Section title={now} actions={<Link href="/live">{texts.live.title}</Link>}>
      <Loaded query={counts} isCurrent>
        {(found) => (
          <ul className={styles.tiles}>
            {STATUSES.map((status) => (
              <li key={status}>
                <Link href={`/calls?status=${status}`}>
                  <span className={styles.number}>{found[status].toLocaleString()}</span>
                  {labels[status]}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
