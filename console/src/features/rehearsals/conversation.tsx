import { useEffect, useRef } from 'react';
import { api, type Schemas } from '../../api/client';
import { getTerm } from '../../domain/term';
import turnStyles from '../../domain/turns.module.css';
import { Badge } from '../../ui/badge';
import { SelectField } from '../../ui/fields';
import { Loaded } from '../../ui/loaded';
import { durationText } from '../../ui/moment';
import { Section } from '../../ui/page';
import { texts } from '../../texts';
import { RunStatus } from './rehearsal-status';
import styles from './run.module.css';

type Result = Schemas['RehearsalResultDto'];
type Check = Result['checks'][number];

/** A turn of a tool has what was asked and answered. */
type Turn = Result['turns'][number] & { tool?: { name: string; arguments: unknown; result: unknown } };

const labels = texts.rehearsals;

interface Props {
  run: Schemas['RehearsalRunDetailDto'];
  result: Schemas['RunResultDto'];
  repeat: number;
  /** Whether it is that of the version with which the run is compared. */
  isAgainst: boolean;
  /** Whether the address names it, so that it gets the focus. */
  isNamed: boolean;
  onChoose: (changes: { repeat?: string; against?: string }) => void;
}

/** A conversation of a run, with each check beside the turn at which it was seen. */
export function Conversation({ run, result: { name }, repeat, isAgainst, isNamed, onChoose }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNamed) place.current?.focus();
  }, [isNamed]);
  const path = { run_id: run.run_id, name, repeat: String(repeat) };
  const result = api.useQuery('get', '/api/rehearsal-runs/{run_id}/results/{name}/{repeat}', {
    params: { path, query: { against: isAgainst } },
  });
  return (
    <div ref={place} tabIndex={-1} className={styles.conversation}>
      <Section
        title={labels.conversation(name)}
        actions={result.data && <RunStatus status={result.data.data.status} />}
      >
        <Choices run={run} repeat={repeat} isAgainst={isAgainst} onChoose={onChoose} />
        <Loaded query={result}>{({ data }) => <Played result={data} />}</Loaded>
      </Section>
    </div>
  );
}

function Choices({ run, repeat, isAgainst, onChoose }: Omit<Props, 'result' | 'isNamed'>) {
  const repeats = Array.from({ length: run.repeat }, (_, index) => index + 1);
  return (
    <div className={styles.badges}>
      {run.repeat > 1 && (
        <SelectField
          label={labels.repetition}
          choices={repeats.map((each) => ({ value: String(each), label: String(each) }))}
          value={String(repeat)}
          onChange={({ target }) => onChoose({ repeat: target.value })}
        />
      )}
      {run.against !== null && (
        <SelectField
          label={labels.facts.version}
          choices={[
            { value: '', label: texts.versions.version(run.version) },
            { value: 'true', label: texts.versions.version(run.against) },
          ]}
          value={isAgainst ? 'true' : ''}
          onChange={({ target }) => onChoose({ against: target.value || undefined })}
        />
      )}
    </div>
  );
}

function Played({ result: { status, error, checks, turns, end } }: { result: Result }) {
  if (status === 'queued' || status === 'running') return <p>{labels.notPlayed[status]}</p>;
  return (
    <>
      <ul aria-label={labels.checks} className={styles.checks}>
        {checks.map((check, index) => (
          <CheckItem key={`${check.check} ${index}`} {...check} />
        ))}
      </ul>
      {error !== null && <p>{getTerm(error)}</p>}
      {turns.length === 0 && <p>{labels.nothingSaid}</p>}
      <ol className={`${turnStyles.turns} ${styles.rehearsed}`}>
        {turns.map((turn, index) => (
          <TurnItem
            key={index}
            turn={turn}
            index={index}
            checks={checks.filter((check) => check.turn === index && !check.passed)}
          />
        ))}
      </ol>
      {end && <p>{getTerm(end.reason)}</p>}
    </>
  );
}

const toTurnId = (index: number) => `turn-${index}`;

const CheckBadge = ({ passed }: Pick<Check, 'passed'>) => (
  <Badge tone={passed ? 'good' : 'bad'}>{labels.statuses[passed ? 'passed' : 'failed']}</Badge>
);

const CheckItem = ({ check, passed, seen, turn }: Check) => (
  <li>
    <CheckBadge passed={passed} />
    <strong>{check}</strong>
    {turn === null ? <span>{seen}</span> : <a href={`#${toTurnId(turn)}`}>{seen}</a>}
  </li>
);

const TurnItem = ({ turn, index, checks }: { turn: Turn; index: number; checks: Check[] }) => (
  <li
    id={toTurnId(index)}
    tabIndex={-1}
    data-speaker={turn.speaker}
    data-red={checks.length > 0 || undefined}
  >
    <div className={turnStyles.speaker}>
      <span>{texts.call.speakers[turn.speaker]}</span>
      <span className={turnStyles.time}>{durationText(turn.at_ms / 1_000)}</span>
    </div>
    <p>{turn.text}</p>
    {turn.tool && (
      <pre className={turnStyles.tool} tabIndex={0} role="group" aria-label={turn.text}>
        {JSON.stringify({ arguments: turn.tool.arguments, result: turn.tool.result }, null, 2)}
      </pre>
    )}
    {checks.length > 0 && (
      <ul className={styles.checks}>
        {checks.map(({ check, seen }, place) => (
          <CheckItem key={`${check} ${place}`} check={check} passed={false} seen={seen} turn={null} />
        ))}
      </ul>
    )}
  </li>
);
