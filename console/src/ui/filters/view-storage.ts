import { findPeriod, PERIODS, type PeriodName, type PeriodParameters, resolvePeriod } from './periods';

export interface SavedView {
  name: string;
  /** The query of the page's address. */
  query: string;
  /** The period, if it has a name. Its days are those of the time at which the view is opened. */
  period?: PeriodName;
}

/** The place of the views of one page in one workspace. */
export interface ViewList {
  page: 'analytics' | 'calls';
  workspaceId: string;
}

const getKey = ({ page, workspaceId }: ViewList) => `parley.views.${page}.${workspaceId}`;

/** Whether a stored value has the form of this version of the console. */
function isView(value: unknown): value is SavedView {
  const { name, query, period } = (value ?? {}) as Partial<SavedView>;
  const isPeriod = period === undefined || PERIODS.includes(period);
  return typeof name === 'string' && typeof query === 'string' && isPeriod;
}

export function readViews(list: ViewList): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(getKey(list)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function store(list: ViewList, views: SavedView[]): SavedView[] {
  localStorage.setItem(getKey(list), JSON.stringify(views));
  return views;
}

/** Makes a view of the query of an address. */
export function toView(name: string, parameters: URLSearchParams, times: PeriodParameters): SavedView {
  const kept = new URLSearchParams(parameters);
  kept.delete('page');
  const days = times.toDays(kept.get(times.start) ?? '', kept.get(times.end) ?? '');
  return { name, query: kept.toString(), period: days && findPeriod(days, new Date()) };
}

/** @returns the query of the address for a view that is opened at a time */
export function toViewQuery({ query, period }: SavedView, times: PeriodParameters, now: Date): string {
  if (!period) return query;
  const parameters = new URLSearchParams(query);
  const { start, end } = times.fromDays(resolvePeriod(period, now));
  parameters.set(times.start, start);
  parameters.set(times.end, end);
  return parameters.toString();
}

/** @returns all views. One with the same name is replaced. */
export function saveView(list: ViewList, view: SavedView): SavedView[] {
  const others = readViews(list).filter(({ name }) => name !== view.name);
  return store(list, [...others, view]);
}

/** @returns the views that are left */
export const deleteView = (list: ViewList, name: string) =>
  store(
    list,
    readViews(list).filter((view) => view.name !== name),
  );
