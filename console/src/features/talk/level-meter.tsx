import { useEffect, useRef } from 'react';
import styles from './talk.module.css';

interface Props {
  label: string;
  /** Whether it is this one's turn. */
  isActive: boolean;
  /** The loudness now, from 0 to 1. */
  level: () => number;
}

/** Shows how loud somebody is. What it shows is heard, so that a screen reader leaves it out. */
export function LevelMeter({ label, isActive, level }: Props) {
  const bar = useRef<HTMLSpanElement>(null);
  const latest = useRef(level);
  useEffect(() => {
    latest.current = level;
  });
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      bar.current?.style.setProperty('transform', `scaleX(${latest.current().toFixed(3)})`);
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div className={styles.meter} data-active={isActive || undefined} aria-hidden="true">
      <span>{label}</span>
      <span className={styles.track}>
        <span ref={bar} className={styles.bar} />
      </span>
    </div>
  );
}
