import { Fragment } from 'react';
import type { Schemas } from '../../../api/client';
import { Badge, type Tone } from '../../../ui/badge';
import { Facts } from '../../../ui/facts';
import { durationText } from '../../../ui/moment';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import { getOffset, toTurnId, type Turn } from '../../../domain/turns';
import styles from './call.module.css';

/** The findings of a call. The API document does not describe them further. */
interface Findings {
  fields: Record<string, { value: string | number | boolean | null; reason: string | null }>;
  criteria: Record<string, { pass: boolean | null; turns: number[]; reason: string | null }>;
}

interface Props {
  call: Schemas['CallDetailDto'];
  turns: Turn[];
}

const labels = texts.call.findings;

const TONES: Record<keyof typeof labels.answers, Tone> = { pass: 'good', fail: 'bad', unclear: 'plain' };

/** The server keeps no order of names. */
const sortByName = <Found,>(found: Record<string, Found>) =>
  Object.entries(found).toSorted(([one], [other]) => one.localeCompare(other));

const toAnswer = (pass: boolean | null) => (pass === null ? 'unclear' : pass ? 'pass' : 'fail');

function toText(value: string | number | boolean) {
  if (typeof value === 'boolean') return value ? texts.common.yes : texts.common.no;
  return String(value);
}

/** The findings of a call, by the analysis of its agent. Each answer leads to the turns that show it. */
export function FindingsSection({ call, turns }: Props) {
  const { fields, criteria } = (call.findings ?? { fields: {}, criteria: {} }) as unknown as Findings;
  const values = sortByName(fields);
  const answers = sortByName(criteria);
  if (values.length + answers.length === 0) return null;
  return (
    <Section title={labels.title}>
      {values.length > 0 && (
        <Facts
          facts={values.map(([name, { value, reason }]) => ({
            name,
            value:
              value === null ? <span className={styles.muted}>{labels.none(reason)}</span> : toText(value),
          }))}
        />
      )}
      {answers.length > 0 && (
        <ul className={styles.criteria} aria-label={labels.criteria}>
          {answers.map(([name, { pass, turns: cited, reason }]) => (
            <li key={name}>
              <Badge tone={TONES[toAnswer(pass)]}>{labels.answers[toAnswer(pass)]}</Badge>
              <div>
                <strong>{name}</strong> {reason}{' '}
                {turns
                  .filter(({ sequence }) => cited.includes(sequence))
                  .map((turn) => (
                    <Fragment key={turn.sequence}>
                      <a className={styles.cited} href={`#${toTurnId(turn)}`}>
                        {labels.turn(
                          texts.call.speakers[turn.speaker],
                          durationText(getOffset(turn.started_at, call.connected_at)),
                        )}
                      </a>{' '}
                    </Fragment>
                  ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
