import { CodeIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useGivenUpWebhooks } from '../api/given-up-webhooks';
import { useStreamedCounts } from '../live/use-counts';
import type { NavEntry, PageDefinition } from '../pages';
import { texts } from '../texts';
import styles from './navigation.module.css';

const { groups } = texts.nav;

const GROUPS = [undefined, ...(Object.keys(groups) as (keyof typeof groups)[])];

const isCurrent = (path: string, href: string) => (href === '/' ? path === '/' : path.startsWith(href));

interface Props {
  /** The path of the open page. */
  path: string;
  pages: PageDefinition[];
  onOpen: () => void;
}

/** The pages in groups, and the API reference. */
export function Navigation({ path, pages, onOpen }: Props) {
  const entry = (href: string, { name, icon: Icon }: NavEntry) => (
    <li key={href}>
      <Link href={href} aria-current={isCurrent(path, href) ? 'page' : undefined} onClick={onOpen}>
        <Icon />
        {name}
        {href === '/live' && <CallsInProgress />}
        {href === '/webhooks' && <GivenUpWebhooks />}
      </Link>
    </li>
  );
  return GROUPS.map((group) => {
    const entries = pages.flatMap(({ path: href, nav }) =>
      nav && nav.group === group ? entry(href, nav) : [],
    );
    // A credential with scopes may have no page of a group.
    if (entries.length === 0 && group !== 'connect') return null;
    return (
      <Group key={group ?? ''} name={group && groups[group]}>
        {entries}
        {group === 'connect' && (
          <li>
            <a href="/docs">
              <CodeIcon />
              {texts.nav.apiReference}
            </a>
          </li>
        )}
      </Group>
    );
  });
}

function Group({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <>
      {name && (
        <p className={styles.group} aria-hidden="true">
          {name}
        </p>
      )}
      <ul className={styles.list} aria-label={name}>
        {children}
      </ul>
    </>
  );
}

/** The number of calls in progress, which a credential with scopes is not sent. */
function CallsInProgress() {
  const counts = useStreamedCounts();
  const calls = counts ? counts.queued + counts.accepted + counts.connected : 0;
  if (calls === 0) return null;
  return <Count count={calls} text={texts.nav.inProgress(calls)} />;
}

const GIVEN_UP_POLL_MS = 60_000;

/** The number of webhooks that were given up. Its entry is not there for a credential with scopes. */
function GivenUpWebhooks() {
  const count = useGivenUpWebhooks(GIVEN_UP_POLL_MS).data?.pagination.total ?? 0;
  return count > 0 && <Count count={count} text={texts.nav.givenUp(count)} isBad />;
}

const Count = ({ count, text, isBad }: { count: number; text: string; isBad?: boolean }) => (
  <span className={isBad ? `${styles.count} ${styles.bad}` : styles.count}>
    <span aria-hidden="true">{count.toLocaleString()}</span>
    <span className="visually-hidden">{text}</span>
  </span>
);
