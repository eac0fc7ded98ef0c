import { texts } from '../../texts';
import { Button } from '../button';
import { TextField } from '../fields';
import styles from './campaign.module.css';
import { Choices } from './choices';
import { type CallingWindow, DAYS } from './plan';
import { WeekPicture } from './week-picture';

const { plan: words, days, dayNames } = texts.campaigns;

const WEEKDAYS: CallingWindow = { days: DAYS.slice(0, 5), start: '09:00', end: '17:00' };

/** An input of a time knows no 24:00. */
const fromInput = (value: string) => (value === '00:00' ? '24:00' : value);
const toInput = (value: string) => (value === '24:00' ? '00:00' : value);

interface Props {
  windows: CallingWindow[];
  zone: string;
  /** What the server said. */
  problem: string | undefined;
  onChange: (windows: CallingWindow[]) => void;
}

/** The hours in which people are called. */
export function WindowsField({ windows, zone, problem, onChange }: Props) {
  const change = (index: number, part: Partial<CallingWindow>) =>
    onChange(windows.map((window, at) => (at === index ? { ...window, ...part } : window)));
  return (
    <fieldset className={styles.set}>
      <legend>{words.windows}</legend>
      {windows.map((window, index) => (
        <fieldset key={index} className={styles.set}>
          <legend>{words.window(index + 1)}</legend>
          <Choices
            values={DAYS}
            labels={days}
            names={dayNames}
            chosen={window.days}
            onChange={(chosen) => change(index, { days: chosen })}
          />
          {window.days.length === 0 && <p className={styles.problem}>{words.noDays}</p>}
          <div className={styles.line}>
            <TextField
              label={words.from}
              type="time"
              required
              value={window.start}
              onChange={({ target }) => change(index, { start: target.value })}
            />
            <TextField
              label={words.until}
              type="time"
              required
              title={words.untilHelp}
              value={toInput(window.end)}
              onChange={({ target }) => change(index, { end: fromInput(target.value) })}
            />
            <Button
              aria-label={words.removeWindow(index + 1)}
              onClick={() => onChange(windows.filter((_, at) => at !== index))}
            >
              {texts.campaigns.list.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      {problem && <p className={styles.problem}>{problem}</p>}
      <div className={styles.line}>
        <Button onClick={() => onChange([...windows, WEEKDAYS])}>{words.addWindow}</Button>
        {windows.length > 0 && <span className={styles.small}>{words.untilHelp}</span>}
      </div>
      <WeekPicture windows={windows} zone={zone} />
      <p className={styles.small}>{texts.campaigns.ownZones}</p>
    </fieldset>
  );
}
