import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { searchFilter } from '../api/call-search';
import { api } from '../api/client';
import { PAGES, type PageDefinition } from '../pages';
import { useIsScoped } from '../session/session';
import { texts } from '../texts';
import { ChoiceList, type ListChoice } from '../ui/choice-list';
import { momentText } from '../ui/moment';
import { type Right, useMay } from '../ui/rights';
import { toCreateHref } from '../ui/use-create-request';
import { COMMAND_KEYS } from './command-keys';
import styles from './shortcuts.module.css';

const labels = texts.palette;

/** The things that can be created, by the address that opens its page or its dialog. */
const CREATIONS: { href: string; label: string; needs: Right }[] = [
  { href: toCreateHref('/agents'), label: labels.create.agent, needs: 'administer' },
  { href: '/campaigns/new', label: labels.create.campaign, needs: 'operate' },
  { href: toCreateHref('/knowledge'), label: labels.create.knowledge, needs: 'administer' },
  { href: toCreateHref('/tools'), label: labels.create.tool, needs: 'administer' },
  { href: toCreateHref('/templates'), label: labels.create.template, needs: 'administer' },
  { href: toCreateHref('/numbers'), label: labels.create.number, needs: 'administer' },
  { href: toCreateHref('/do-not-call'), label: labels.create.doNotCall, needs: 'operate' },
  { href: toCreateHref('/settings/people'), label: labels.create.person, needs: 'administer' },
  { href: toCreateHref('/settings/keys'), label: labels.create.key, needs: 'administer' },
];

const isUnscoped = (href: string) => PAGES.find(({ path }) => path === href.split('?')[0])?.unscoped === true;

/** The most agents, campaigns and calls that are listed, each. */
const MAX_FOUND = 5;

/** The length of a search, and of a number that the API accepts. */
const MIN_LENGTH = 2;
const MAX_NUMBER_LENGTH = 16;

/** The time without a key after which a text is searched for. */
const PAUSE_MS = 200;

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The agents, campaigns and calls that a text finds, by the addresses of their pages. */
function useFound(text: string): ListChoice[] {
  const isScoped = useIsScoped();
  const search = useSettled(text);
  const isSearching = text.length >= MIN_LENGTH && search.length >= MIN_LENGTH;
  const filter = searchFilter(search);
  const isTooLong = 'number' in filter && filter.number.length > MAX_NUMBER_LENGTH;
  const params = { params: { query: { search, limit: MAX_FOUND } } };
  const ofWorkspace = { enabled: isSearching && !isScoped, placeholderData: keepPreviousData };
  const agents = api.useQuery('get', '/api/agents', params, ofWorkspace);
  const campaigns = api.useQuery('get', '/api/campaign', params, ofWorkspace);
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query: { ...filter, limit: MAX_FOUND } } },
    { enabled: isSearching && !isTooLong, placeholderData: keepPreviousData },
  );
  if (!isSearching) return [];
  const found = [
    ...(agents.data?.data ?? []).map(({ id, name }) => ({
      value: `/agents/${id}`,
      label: name,
      note: labels.kinds.agent,
    })),
    ...(campaigns.data?.data ?? []).map(({ campaign_id, campaignName }) => ({
      value: `/campaigns/${campaign_id}`,
      label: campaignName,
      note: labels.kinds.campaign,
    })),
    ...(calls.data?.data ?? []).map((call) => ({
      value: `/calls/${call.call_id}`,
      label: [call.customer_name, call.direction === 'inbound' ? call.from_number : call.to_number]
        .filter(Boolean)
        .join(', '),
      note: labels.call(momentText(call.created_at)),
    })),
  ];
  return found.map((each) => ({ ...each, isFound: true }));
}

interface Props {
  /** The pages of the navigation that the session may open. */
  pages: PageDefinition[];
  onShortcuts: () => void;
  onSignOut: () => void;
  onClose: () => void;
}

/** A list of the pages, of what can be created, and of what a text finds. */
export function Palette({ pages, onShortcuts, onSignOut, onClose }: Props) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const found = useFound(text);
  const isScoped = useIsScoped();
  const may = { operate: useMay('operate'), administer: useMay('administer') };
  const frame = useRef<HTMLDivElement>(null);
  // The file of the list may come after the dialog has opened.
  useEffect(() => frame.current?.querySelector('input')?.focus(), []);
  const target = isScoped ? '/calls' : '/search';
  const query = isScoped ? searchFilter(text) : { q: text };
  const commands: Record<string, () => void> = { shortcuts: onShortcuts, 'sign-out': onSignOut };
  const choices: ListChoice[] = [
    ...pages.flatMap(({ path, nav }) =>
      nav ? [{ value: path, label: nav.name, note: labels.kinds.page }] : [],
    ),
    ...CREATIONS.filter(({ href, needs }) => may[needs] && !(isScoped && isUnscoped(href))).map(
      ({ href, label }) => ({ value: href, label, note: labels.kinds.create }),
    ),
    { value: 'shortcuts', label: texts.nav.shortcuts, note: '?' },
    { value: 'sign-out', label: texts.nav.signOut },
    ...found,
    ...(text
      ? [{ value: `${target}?${new URLSearchParams(query).toString()}`, label: labels.search(text) }]
      : []),
  ];
  const choose = (value: string) => {
    onClose();
    if (commands[value]) commands[value]();
    else navigate(value);
  };
  return (
    <div ref={frame}>
      <ChoiceList
        isWide
        label={labels.field}
        choices={choices}
        chosen={[]}
        onSearch={setText}
        onChoose={choose}
      />
    </div>
  );
}

const goKeys = (pages: PageDefinition[]) =>
  pages.flatMap(({ key, nav }) => (key && nav ? [[`g ${key}`, texts.shortcuts.go(nav.name)] as const] : []));

/** The keys that work on every page. */
export const ShortcutList = ({ pages }: { pages: PageDefinition[] }) => (
  <dl className={styles.keys}>
    {[
      [COMMAND_KEYS, texts.shortcuts.commands] as const,
      ...Object.entries(texts.shortcuts.keys),
      ...goKeys(pages),
    ].map(([key, text]) => (
      <div key={key}>
        <dt>
          {key.split(' ').map((each) => (
            <kbd key={each}>{each}</kbd>
          ))}
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);
