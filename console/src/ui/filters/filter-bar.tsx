import { type ReactNode, useRef, useState } from 'react';
import { texts } from '../../texts';
import { type ChoiceListProps, ChoiceList, type ListChoice } from '../choice-list';
import { Menu } from '../menu';
import styles from './filter-bar.module.css';
import { FilterField, FilterFields } from './filter-field';
import { PeriodMenu } from './period-menu';
import type { DayPeriod, PeriodParameters } from './periods';
import type { useQueryParameters } from './use-query-parameters';

export interface Filter {
  name: string;
  label: string;
  /** The values to choose from. Without them, the filter is a text field. */
  choices?: ListChoice[];
  /** Whether several values may be chosen. */
  isMultiple?: boolean;
  /** The value that an address without the filter stands for. The filter is always shown then. */
  usual?: string;
  /** The type of the text field. The bar begins with a search. */
  type?: 'text' | 'search' | 'number';
  /** Renders values that are read when they are to be chosen. */
  renderChoices?: (list: ChoiceListProps) => ReactNode;
  /** Renders the name of a value, if it has to be read. */
  renderValue?: (value: string) => ReactNode;
}

/** The longest search that the API accepts. */
const MAX_SEARCH_LENGTH = 200;

interface Props {
  label?: string;
  filters: Filter[];
  /** The parameters of the period, if the list can be filtered by time. */
  times?: PeriodParameters;
  /** The period that an address without one stands for. Left out: any time. */
  usualDays?: DayPeriod;
  state: ReturnType<typeof useQueryParameters>;
  onChange?: () => void;
  /** The buttons and texts at the end of the bar. */
  children?: ReactNode;
}

/**
 * The filters of a list, which are stored in the address: a search, the period, and a chip for each filter that is set. A
 * choice is applied at once, and a text when its field loses the focus or Enter is pressed. A change of the filters shows
 * the first page.
 */
export function FilterBar({
  label = texts.filters.label,
  filters,
  times,
  usualDays,
  state: [parameters, setParameters],
  onChange,
  children,
}: Props) {
  const bar = useRef<HTMLDivElement>(null);
  // The filter that is being edited has a chip, even if it has no value.
  const [edited, setEdited] = useState<string>();
  const set = (changes: Record<string, string | string[]>) => {
    if (Object.entries(changes).every(([name, value]) => value === (parameters.get(name) ?? ''))) return;
    onChange?.();
    setParameters({ ...changes, page: undefined });
  };
  const remove = (name: string) => {
    bar.current?.querySelector<HTMLElement>('[data-add] > button')?.focus();
    set({ [name]: '' });
  };
  const search = filters.find(({ type }) => type === 'search');
  const others = filters.filter((filter) => filter !== search);
  const isShown = ({ name, usual }: Filter) => usual !== undefined || parameters.has(name) || name === edited;
  return (
    <div ref={bar} role="group" aria-label={label} className={styles.bar}>
      <div className={styles.filters}>
        {search && (
          <FilterFields className={styles.search} onApply={set}>
            <FilterField
              type="search"
              name={search.name}
              label={search.label}
              placeholder={search.label}
              maxLength={MAX_SEARCH_LENGTH}
              value={parameters.get(search.name) ?? ''}
              onApply={(value) => set({ [search.name]: value })}
            />
          </FilterFields>
        )}
        {times && <PeriodMenu {...{ times, usualDays, parameters }} onApply={set} />}
        {others.filter(isShown).map((filter) => (
          <Chip
            key={filter.name}
            filter={filter}
            values={parameters.getAll(filter.name)}
            onApply={(value) => set({ [filter.name]: value === filter.usual ? '' : value })}
            onRemove={() => remove(filter.name)}
            onToggle={(isOpen) =>
              setEdited((now) => (isOpen ? filter.name : now === filter.name ? undefined : now))
            }
          />
        ))}
        {others.some(({ usual }) => usual === undefined) && (
          <span data-add>
            <Menu name={texts.filters.add} button={texts.filters.addButton}>
              {(close) => (
                <ChoiceList
                  label={texts.filters.add}
                  choices={others
                    .filter((filter) => !isShown(filter))
                    .map(({ name, label: text }) => ({ value: name, label: text }))}
                  chosen={[]}
                  onChoose={(name) => {
                    close();
                    setEdited(name);
                  }}
                />
              )}
            </Menu>
          </span>
        )}
      </div>
      {children && <div className={styles.end}>{children}</div>}
    </div>
  );
}

interface ChipProps {
  filter: Filter;
  /** The values in the address. */
  values: string[];
  onApply: (value: string | string[]) => void;
  onRemove: () => void;
  onToggle: (isOpen: boolean) => void;
}

/** A filter with its value, which opens a menu that changes it, and a button that removes it. */
function Chip({ filter, values, onApply, onRemove, onToggle }: ChipProps) {
  const { label, choices, usual, renderValue } = filter;
  const chosen = values.length === 0 && usual !== undefined ? [usual] : values;
  const nameOf = (value: string) => choices?.find((choice) => choice.value === value)?.label ?? value;
  const isRemovable = usual === undefined && values.length > 0;
  const chip = useRef<HTMLSpanElement>(null);
  const toggle = (isOpen: boolean) => {
    // A chip without a value is removed, and must not have the focus.
    if (!isOpen && chosen.length === 0 && chip.current?.contains(document.activeElement)) onRemove();
    onToggle(isOpen);
  };
  return (
    <span ref={chip} className={styles.chip} data-set={values.length > 0 || undefined}>
      <Menu
        name={label}
        button={
          <>
            {label}: <b dir="auto">{renderValue?.(chosen[0] ?? '') ?? chosen.map(nameOf).join(', ')}</b>
          </>
        }
        className={styles.value}
        isOpenAtFirst={chosen.length === 0}
        onToggle={toggle}
      >
        {(close) => <Editor {...{ filter, chosen, onApply, close }} />}
      </Menu>
      {isRemovable && (
        <button
          type="button"
          aria-label={texts.filters.remove(label)}
          className={styles.remove}
          onClick={onRemove}
        >
          ✕
        </button>
      )}
    </span>
  );
}

interface EditorProps extends Pick<ChipProps, 'filter' | 'onApply'> {
  chosen: string[];
  close: () => void;
}

function Editor({ filter, chosen, onApply, close }: EditorProps) {
  const { name, label, choices, isMultiple, type, renderChoices } = filter;
  const toggle = (value: string) =>
    onApply(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  const choose = (value: string) => {
    onApply(value);
    close();
  };
  const list = { label, chosen, isMultiple, onChoose: isMultiple ? toggle : choose };
  if (renderChoices) return renderChoices(list);
  if (choices) return <ChoiceList {...list} choices={choices} />;
  return (
    <FilterFields onApply={(values) => onApply(values[name] ?? '')}>
      <FilterField {...{ name, label, type, onApply }} value={chosen[0] ?? ''} />
    </FilterFields>
  );
}
