import { Link } from 'wouter';
import { Badge } from './badge';
import styles from './problem-list.module.css';

export interface Problem {
  /** The problem as a sentence. */
  text: string;
  advice: string;
  isBad: boolean;
  /** The page with the details. */
  href?: string;
  link?: string;
}

interface Props {
  /** The name for screen readers. */
  label: string;
  badges: { bad: string; warn: string };
  problems: Problem[];
}

/** A list of problems, the worst first. */
export const ProblemList = ({ label, badges, problems }: Props) => (
  <ul aria-label={label} className={styles.problems}>
    {problems
      .toSorted((one, other) => Number(other.isBad) - Number(one.isBad))
      .map(({ text, advice, isBad, href, link }) => (
        <li key={text}>
          <Badge tone={isBad ? 'bad' : 'warn'}>{isBad ? badges.bad : badges.warn}</Badge>
          <div>
            <strong>{text}</strong> {advice}
            {href && link && (
              <>
                {' '}
                <Link href={href}>{link}</Link>
              </>
            )}
          </div>
        </li>
      ))}
  </ul>
);
