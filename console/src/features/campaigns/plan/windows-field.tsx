import { texts } from '../../../texts';
import { Button } from '../../../ui/button';
import { TextField } from '../../../ui/fields';
import styles from './plan.module.css';
import { Choices } from './choices';
import { type CallingWindow, DAYS } from './plan';
import { WeekPicture } from './week-picture';

const { plan: labels, days, dayNames } = texts.campaigns;

const WEEKDAYS: CallingWindow = { days: DAYS.slice(0, 5), start: '09:00', end: '17:00' };

/** An input of a time has no 24:00. */
const fromInput = (value: string) => (value === '00:00' ? '24:00' : value);
const toInput = (value: string) => (value === '24:00' ? '00:00' : value);

interface Props {
  windows: CallingWindow[];
  zone: string;
  /** The error message of the server. */
  problem: string | undefined;
  onChange: (windows: CallingWindow[]) => void;
}

/** The field of the windows in which people are called. */
export function WindowsField({ windows, zone, problem, onChange }: Props) {
  const change = (index: number, part: Partial<CallingWindow>) =>
    onChange(windows.map((window, at) => (at === index ? { ...window, ...part } : window)));
  return (
    <fieldset className={styles.set}>
      <legend>{labels.windows}</legend>
      {windows.map((window, index) => (
        <fieldset key={index} className={styles.set}>
          <legend>{labels.window(index + 1)}</legend>
          <Choices
            values={DAYS}
            labels={days}
            names={dayNames}
            chosen={window.days}
            onChange={(chosen) => change(index, { days: chosen })}
          />
          {window.days.length === 0 && <p className={styles.problem}>{labels.noDays}</p>}
          <div className={styles.fields}>
            <TextField
              label={labels.from}
              type="time"
              required
              value={window.start}
              onChange={({ target }) => change(index, { start: target.value })}
            />
            <TextField
              label={labels.until}
              type="time"
              required
              title={labels.untilHelp}
              value={toInput(window.end)}
              onChange={({ target }) => change(index, { end: fromInput(target.value) })}
            />
            <Button
              aria-label={labels.removeWindow(index + 1)}
              onClick={() => onChange(windows.filter((_, at) => at !== index))}
            >
              {texts.campaigns.list.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      {problem && <p className={styles.problem}>{problem}</p>}
      <div className={styles.line}>
        <Button onClick={() => onChange([...windows, WEEKDAYS])}>{labels.addWindow}</Button>
        {windows.length > 0 && <span className={styles.small}>{labels.untilHelp}</span>}
      </div>
      <WeekPicture windows={windows} zone={zone} />
      <p className={styles.small}>{texts.campaigns.ownZones}</p>
    </fieldset>
  );
}
