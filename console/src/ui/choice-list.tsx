import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { texts } from '../texts';
import type { Choice } from './fields';
import fields from './fields.module.css';
import styles from './choice-list.module.css';

/** The matches that are rendered. The others are found by typing more. */
const MAX_SHOWN = 100;

export interface ListChoice extends Choice {
  /** The number of things that have the value. */
  count?: number;
  /** A word about it, such as its kind. */
  note?: string;
  /** Whether the server has found it by the text, which its label need not contain. */
  isFound?: boolean;
}

export interface ChoiceListProps {
  label: string;
  chosen: string[];
  /** Whether several values may be chosen. */
  isMultiple?: boolean;
  onChoose: (value: string) => void;
}

interface Props extends ChoiceListProps {
  choices: ListChoice[];
  /** Whether it is as wide as the part around it. */
  isWide?: boolean;
  /** Whether a text that is no choice can be chosen too. */
  isFree?: boolean;
  maxLength?: number;
  /** Called with the text that is typed, if not all choices are known. */
  onSearch?: (text: string) => void;
  /** The text in place of the choices if there are none. Left out: nothing was found. */
  status?: ReactNode;
}

const toKey = (text: string) => text.trim().toLowerCase();

/** A list of choices that is searched by typing: the combobox pattern of the WAI-ARIA APG, with its list always open. */
export function ChoiceList({
  label,
  choices,
  isWide,
  chosen,
  isMultiple = false,
  isFree = false,
  maxLength = 200,
  onSearch,
  status,
  onChoose,
}: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const [moved, setMoved] = useState<number>();
  const found: ListChoice[] = choices.filter(
    (choice) => choice.isFound || toKey(choice.label).includes(toKey(text)),
  );
  if (isFree && toKey(text) && !choices.some((choice) => toKey(choice.label) === toKey(text)))
    found.push({ value: text.trim(), label: texts.filters.typed(text.trim()) });
  const shown = found.slice(0, MAX_SHOWN);
  const first = text ? 0 : shown.findIndex(({ value }) => chosen.includes(value));
  const active = Math.min(moved ?? Math.max(0, first), shown.length - 1);
  const activeId = `${id}-${active}`;
  useEffect(() => {
    void document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = shown[active];
    if (step && choice) setMoved((active + step + shown.length) % shown.length);
    else if (event.key === 'Enter' && choice && !event.nativeEvent.isComposing) onChoose(choice.value);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.choices} data-wide={isWide || undefined}>
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? id : undefined}
        aria-activedescendant={shown.length > 0 ? activeId : undefined}
        autoComplete="off"
        dir="auto"
        maxLength={maxLength}
        placeholder={texts.filters.find}
        className={fields.control}
        onKeyDown={press}
        onChange={({ target }) => {
          setText(target.value);
          onSearch?.(target.value.trim());
          setMoved(undefined);
        }}
      />
      {shown.length > 0 && (
        <ul
          id={id}
          role="listbox"
          aria-label={label}
          aria-multiselectable={isMultiple || undefined}
          tabIndex={-1}
          className={styles.list}
        >
          {shown.map((choice, index) => (
            <li
              key={choice.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={chosen.includes(choice.value)}
              data-active={index === active || undefined}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setMoved(index);
                onChoose(choice.value);
              }}
            >
              <span dir="auto">{choice.label}</span>
              {choice.count !== undefined && <span>{choice.count.toLocaleString()}</span>}
              {choice.note && <span>{choice.note}</span>}
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={styles.status}>
        {shown.length === 0
          ? (status ?? texts.filters.none)
          : found.length > shown.length && texts.filters.more(found.length - shown.length)}
      </p>
    </div>
  );
}
