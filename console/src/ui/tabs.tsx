import { Link, useLocation } from 'wouter';
import styles from './tabs.module.css';

interface Props {
  /** The name of the pages, for screen readers. */
  label: string;
  tabs: { href: string; label: string }[];
}

/** Links to the pages that belong together, beside their title. */
export function Tabs({ label, tabs }: Props) {
  const [path] = useLocation();
  return (
    <nav aria-label={label}>
      <ul className={styles.tabs}>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link href={tab.href} aria-current={path === tab.href ? 'page' : undefined}>
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
