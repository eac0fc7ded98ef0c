import { Link, useSearchParams } from 'wouter';
import { api, type Schemas } from '../../api/client';
import { searchFilter } from '../../api/call-search';
import { personNumber } from '../../domain/phone-number';
import { RecipientState } from '../../domain/recipient-state';
import { texts } from '../../texts';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';

type Recipient = Schemas['FoundRecipientDto'];

interface Person {
  number: string;
  name: string;
  /** The time of the newest call that was found. */
  lastCall?: string;
  recipients: Recipient[];
}

const { search: labels } = texts.people;

/** The least length of a search in campaigns. */
const MIN_LENGTH = 3;

const MAX_FOUND = 100;

const COLUMNS: Column<Person>[] = [
  {
    key: 'person',
    header: labels.person,
    cell: ({ number, name }) => name || number,
    phone: 'title',
  },
  { key: 'number', header: labels.number, cell: ({ number }) => number },
  {
    key: 'campaigns',
    header: labels.campaigns,
    cell: ({ recipients }) => (
      <ul>
        {recipients.map((recipient) => (
          <li key={recipient.campaign_id}>
            {recipient.campaignName} <RecipientState {...recipient} />
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: 'lastCall',
    header: labels.lastCall,
    cell: ({ lastCall }) => (lastCall ? <TimeText at={lastCall} /> : ''),
  },
];

/** The people of calls and of campaigns, by their numbers. Those of calls come first, the newest call before others. */
function listPeople(calls: Schemas['CallDto'][], recipients: Recipient[]): Person[] {
  const people = new Map<string, Person>();
  const find = (number: string): Person => {
    const person = people.get(number) ?? { number, name: '', recipients: [] };
    people.set(number, person);
    return person;
  };
  for (const call of calls) {
    const number = personNumber(call);
    if (!number) continue;
    const person = find(number);
    person.name ||= call.customer_name;
    person.lastCall ??= call.created_at;
  }
  for (const recipient of recipients) {
    const person = find(recipient.phone_number);
    person.name ||= recipient.customer_name;
    person.recipients.push(recipient);
  }
  return [...people.values()];
}

/** Finds people by a part of a name or a number, in calls and in campaigns. */
export default function SearchPage() {
  const [parameters] = useSearchParams();
  const term = parameters.get('q')?.trim() ?? '';
  const filter = searchFilter(term);
  const search = 'number' in filter ? filter.number : term;
  const canBeInCampaigns = search.length >= MIN_LENGTH;
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query: { ...filter, limit: MAX_FOUND } } },
    { enabled: term !== '' },
  );
  const recipients = api.useQuery(
    'get',
    '/api/recipients',
    { params: { query: { search, limit: MAX_FOUND } } },
    { enabled: canBeInCampaigns },
  );
  const showPeople = (found: Recipient[]) => (
    <Table<Person>
      caption={labels.people}
      columns={COLUMNS}
      rows={listPeople(calls.data?.data ?? [], found)}
      rowKey={({ number }) => number}
      rowHref={({ number }) => `/people/${number}`}
      empty={labels.none}
    />
  );
  return (
    <Page title={term ? labels.titleOf(term) : labels.title}>
      <Section title={labels.people}>
        {!canBeInCampaigns && <p>{labels.tooShort}</p>}
        {term !== '' && (
          <Loaded query={calls}>
            {({ pagination: { total } }) => (
              <>
                {canBeInCampaigns ? (
                  <Loaded query={recipients}>{({ data }) => showPeople(data)}</Loaded>
                ) : (
                  showPeople([])
                )}
                <p>
                  {total === 0 ? (
                    labels.noCalls
                  ) : (
                    <Link href={`/calls?${new URLSearchParams({ ...filter }).toString()}`}>
                      {labels.calls(total)}
                    </Link>
                  )}
                </p>
              </>
            )}
          </Loaded>
        )}
      </Section>
    </Page>
  );
}
