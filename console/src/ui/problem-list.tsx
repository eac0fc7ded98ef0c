import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { Badge } from './badge';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';
import { FailureNotice } from './failure-notice';
import { focusHeadingIfLost } from './focus-heading';
import styles from './problem-list.module.css';
import type { Right } from './rights';

interface Act {
  label: string;
  needs: Right;
  /** The question before it; left out: it needs none. */
  question?: { title: string; text: string };
  run: () => Promise<unknown>;
}

export interface Problem {
  /** Left out: no other problem has the same text. */
  id?: string;
  /** The problem as a sentence. */
  text: string;
  advice: string;
  isBad: boolean;
  /** The page with the details. */
  href?: string;
  link?: string;
  /** The acts that solve it. The problem is gone from the list after each. */
  acts?: Act[];
}

interface Props {
  /** The name for screen readers. */
  label: string;
  badges: { bad: string; warn: string };
  problems: Problem[];
}

/** A list of problems, the worst first; those that are equally bad stay in their order. */
export const ProblemList = ({ label, badges, problems }: Props) => (
  <ul aria-label={label} className={styles.problems}>
    {problems
      .toSorted((one, other) => Number(other.isBad) - Number(one.isBad))
      .map(({ id, text, advice, isBad, href, link, acts = [] }) => (
        <li key={id ?? text}>
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
          <div className={styles.acts}>
            {acts.map((act) => (
              <ActButton key={act.label} {...act} />
            ))}
          </div>
        </li>
      ))}
  </ul>
);

function ActButton({ label, needs, question, run }: Act) {
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({ mutationFn: run });
  const wasUsed = useRef(false);
  // The button is gone with the problem, which may be after the act.
  useEffect(() => () => void (wasUsed.current && focusHeadingIfLost()), []);
  const begin = () => {
    wasUsed.current = true;
    if (question) setAsking(true);
    else act.mutate();
  };
  return (
    <div className={styles.act}>
      <Button needs={needs} act={act} onClick={begin}>
        {label}
      </Button>
      {act.isError && <FailureNotice error={act.error} />}
      {question && isAsking && (
        <ConfirmDialog {...question} action={label} run={run} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}
