import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts';
import styles from './page.module.css';
import { hasPlace } from './table/place';

interface Props {
  title: string;
  /** The title of the browser tab, if it differs from the title. */
  tabTitle?: string;
  /** A text, or links to other pages, between the title and the actions. */
  beside?: ReactNode;
  /** The buttons and links beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page below the navigation. Its heading gets the focus when the page opens, so that screen readers begin there. */
export function Page({ title, tabTitle = title, beside, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${tabTitle} · ${texts.product}`;
  }, [tabTitle]);
  useEffect(() => {
    if (!hasPlace()) window.scrollTo(0, 0);
    // The file of the page may load while the user is typing in the search box.
    if (!document.activeElement?.closest('[role="search"]')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {beside && <div className={styles.beside}>{beside}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export const Section = ({ title, actions, children }: SectionProps) => (
  <section className={styles.section}>
    <header className={styles.header}>
      <h2>{title}</h2>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
    {children}
  </section>
);
