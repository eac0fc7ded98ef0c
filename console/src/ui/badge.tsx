import styles from './badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const ICONS: Record<Tone, string> = { good: '✓', warn: '!', bad: '✕', info: '●', plain: '○' };

interface Props {
  tone: Tone;
  children: string;
  /** The icon, if it differs from the icon of the tone. */
  icon?: string;
}

/** A state as icon and text, so that it does not depend on colour. */
export const Badge = ({ tone, children, icon = ICONS[tone] }: Props) => (
  <span className={`${styles.badge} ${styles[tone]}`}>
    <span aria-hidden="true">{icon}</span>
    {children}
  </span>
);
