import { type RefObject, useEffect, useRef, useState } from 'react';
import { texts } from '../../texts';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { durationText } from '../../ui/moment';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { useNow } from '../../ui/use-now';
import type { Conversation } from './conversation';
import { LevelMeter } from './level-meter';
import { MessageForm } from './message-form';
import type { TalkSession } from './session';
import styles from './talk.module.css';
import { Turns } from './turns';
import type { Stage } from './use-talk';
import { actualSentences } from './where-it-goes';

const labels = texts.talk.during;

const TONES: Record<Conversation['state'], Tone> = {
  connecting: 'plain',
  listening: 'info',
  thinking: 'warn',
  speaking: 'good',
};

interface Props {
  stage: Extract<Stage, { name: 'talking' }>;
  session: RefObject<TalkSession | undefined>;
}

/** A conversation that goes on. */
export function During({ stage, session }: Props) {
  const { conversation, way, host, isMicrophoneLost } = stage;
  const { state, isLost, turns, turnGapMs, services } = conversation;
  const [isMuted, setMuted] = useState(false);
  const [isHangingUp, setHangingUp] = useState(false);
  const isSpoken = way === 'speaking';
  const mute = () => {
    session.current?.setMuted(!isMuted);
    setMuted(!isMuted);
  };
  const hangUp = () => {
    setHangingUp(true);
    session.current?.hangUp();
  };
  const isJoined = state !== 'connecting';
  return (
    <div className={styles.columns}>
      <Section title={labels.transcript}>
        <Turns turns={turns} way={way} />
        <MessageForm
          help={isSpoken ? labels.messageHelp : undefined}
          takesFocus={!isSpoken && isJoined}
          isDisabled={!isJoined || isLost}
          onSend={(text) => session.current?.write(text)}
        />
      </Section>
      <Section title={labels.title}>
        <p className={styles.state}>
          <Badge tone={TONES[state]}>{stateText(state, isSpoken)}</Badge>
          {isJoined && <Clock />}
        </p>
        {isSpoken && (
          <>
            <LevelMeter
              label={labels.you}
              isActive={state === 'listening'}
              level={() => session.current?.level('user') ?? 0}
            />
            <LevelMeter
              label={labels.agent}
              isActive={state === 'speaking'}
              level={() => session.current?.level('agent') ?? 0}
            />
          </>
        )}
        <p className={styles.latency}>
          {turnGapMs === undefined || !isSpoken ? ' ' : labels.latency((turnGapMs / 1_000).toFixed(1))}
        </p>
        <Controls {...{ isSpoken, isMuted, isHangingUp, mute, hangUp }} />
        <div role="status" className={styles.news}>
          {isLost && <Notice kind="warn">{labels.lost}</Notice>}
          {isMuted && <p>{labels.muted}</p>}
          {isMicrophoneLost && <Notice kind="warn">{labels.microphoneLost}</Notice>}
        </div>
        <h3>{texts.talk.privacy.title}</h3>
        <ul className={styles.muted}>
          {isJoined && actualSentences(services, way, host).map((text) => <li key={text}>{text}</li>)}
        </ul>
      </Section>
    </div>
  );
}

function stateText(state: Conversation['state'], isSpoken: boolean): string {
  if (isSpoken || state === 'connecting') return labels.states[state];
  return state === 'listening' ? labels.states.ready : labels.states.writing;
}

interface ControlsProps {
  isSpoken: boolean;
  isMuted: boolean;
  isHangingUp: boolean;
  mute: () => void;
  hangUp: () => void;
}

function Controls({ isSpoken, isMuted, isHangingUp, mute, hangUp }: ControlsProps) {
  const controls = useRef<HTMLDivElement>(null);
  // The button that began the call was removed, and the focus with it.
  useEffect(() => {
    if (isSpoken) controls.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isSpoken]);
  return (
    <div ref={controls} className={styles.controls}>
      {isSpoken && (
        <Button onClick={mute} aria-pressed={isMuted}>
          {labels.mute}
        </Button>
      )}
      <Button variant="danger" onClick={hangUp} isBusy={isHangingUp}>
        {isHangingUp ? labels.hangingUp : labels.hangUp}
      </Button>
    </div>
  );
}

/** The time since the conversation began. */
function Clock() {
  const [since] = useState(() => Date.now());
  return <span>{durationText(Math.max(0, useNow() - since) / 1_000)}</span>;
}
