import { Fragment } from 'react';
import type { Schemas } from '../api/client';
import { Badge, type Tone } from '../ui/badge';
import { Button } from '../ui/button';
import { durationText, latencyText } from '../ui/moment';
import { texts } from '../texts';
import styles from './turns.module.css';

export type Turn = Schemas['TranscriptTurnDto'];

/** The start of a turn in the recording, in seconds. */
export const getOffset = (at: string, connectedAt: string | null) =>
  connectedAt === null ? 0 : Math.max(0, (Date.parse(at) - Date.parse(connectedAt)) / 1_000);

/** The id of the element of a turn, where a page has one transcript. */
export const toTurnId = ({ sequence }: Turn) => `turn-${sequence}`;

type Invocation = Schemas['ListedInvocationDto'];

interface Props {
  turns: Turn[];
  /** The askings for tools, in their order; each stands before the first later turn. */
  invocations?: Invocation[];
  connectedAt: string | null;
  /** The id of the element of a turn, to which links lead; left out: none does. */
  toId?: (turn: Turn) => string;
  /** The place of the turn that is played now. */
  heard?: number;
  /** Plays the recording; left out: there is none. */
  onPlay?: (seconds: number) => void;
}

/** The turns of a call, each with its time and, if the agent answered the person, the latency. */
export const Turns = ({ turns, invocations = [], connectedAt, toId, heard, onPlay }: Props) => (
  <ol className={styles.turns}>
    {turns.map((turn, index) => {
      const offset = getOffset(turn.started_at, connectedAt);
      return (
        <Fragment key={turn.sequence}>
          <Invocations invocations={listBefore(invocations, turns, index)} connectedAt={connectedAt} />
          <li
            id={toId?.(turn)}
            // A link moves the focus to its turn.
            tabIndex={toId && -1}
            data-speaker={turn.speaker}
            aria-current={index === heard || undefined}
          >
            <div className={styles.speaker}>
              <span>{texts.call.speakers[turn.speaker]}</span>
              {turn.latency_ms !== null && (
                <span title={texts.performance.answeredTitle}>
                  {texts.performance.answered(latencyText(turn.latency_ms))}
                </span>
              )}
              <span className={styles.time}>
                {onPlay ? (
                  <Button variant="quiet" onClick={() => onPlay(offset)} title={texts.call.jumpTo}>
                    {durationText(offset)}
                  </Button>
                ) : (
                  durationText(offset)
                )}
              </span>
            </div>
            <p>{turn.text}</p>
            {turn.tool && <ToolOfTurn tool={turn.tool} isFolded={isRecorded(turn.tool, invocations)} />}
          </li>
        </Fragment>
      );
    })}
    <Invocations invocations={listBefore(invocations, turns, -1)} connectedAt={connectedAt} />
  </ol>
);

type Tool = NonNullable<Turn['tool']>;

/** Whether the server has a record of the use of a tool. */
const isRecorded = ({ name }: Tool, invocations: Invocation[]) =>
  invocations.some(({ tool }) => tool === name);

/** A tool as the runtime reported it. It is folded beside the record of the server, which says the same. */
function ToolOfTurn({ tool, isFolded }: { tool: Tool; isFolded: boolean }) {
  const report = <pre className={styles.tool}>{JSON.stringify(tool, null, 2)}</pre>;
  if (!isFolded) return report;
  return (
    <details>
      <summary>{texts.tools.invocation.reported}</summary>
      {report}
    </details>
  );
}

/** The invocations that stand before a turn: the first that begins after the asking. -1: there is no such turn. */
const listBefore = (invocations: Invocation[], turns: Turn[], index: number) =>
  invocations.filter(
    ({ asked_at }) =>
      turns.findIndex(({ started_at }) => Date.parse(started_at) > Date.parse(asked_at)) === index,
  );

const TONES: Record<Invocation['state'], Tone> = {
  ...{ running: 'info', done: 'good', refused: 'warn', failed: 'bad', unknown: 'warn' },
};

const labels = texts.tools.invocation;

const Invocations = ({ invocations = [], connectedAt }: Pick<Props, 'invocations' | 'connectedAt'>) =>
  invocations.map((invocation) => (
    <InvocationItem key={invocation.invocation_id} invocation={invocation} connectedAt={connectedAt} />
  ));

function InvocationItem({
  invocation,
  connectedAt,
}: { invocation: Invocation } & Pick<Props, 'connectedAt'>) {
  const { tool, state, result, error, note, repeats, settled_by } = invocation;
  const facts: [string, unknown][] = [
    [labels.arguments, Object.keys(invocation.arguments).length > 0 && invocation.arguments],
    [labels.result, result],
    [labels.error, error],
    [labels.note, note],
  ];
  return (
    <li data-speaker="tool">
      <div className={styles.speaker}>
        <span>{tool}</span>
        <Badge tone={TONES[state]}>{labels.states[state]}</Badge>
        {repeats > 0 && <span>{labels.repeats(repeats)}</span>}
        {settled_by === 'person' && <span>{labels.byPerson}</span>}
        <span className={styles.time}>{durationText(getOffset(invocation.asked_at, connectedAt))}</span>
      </div>
      {facts
        .filter(([, value]) => value !== null && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            {name}
            <pre className={styles.tool} tabIndex={0} aria-label={`${tool}: ${name}`} role="group">
              {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            </pre>
          </div>
        ))}
    </li>
  );
}
